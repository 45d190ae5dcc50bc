package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tickback/tickback/transport/udp"
)

// addressError tells what is wrong with an address: wrong usage, if it is none.
func addressError(flag string, err error) error {
	text := strings.TrimPrefix(err.Error(), "udp: ")
	if errors.Is(err, udp.ErrAddress) {
		return usagef("%s: cannot %s", flag, text)
	}
	return failure{fmt.Errorf("cannot %s", text)}
}
