package live

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/transport/udp"
)

// AddressError tells what is wrong with an address: wrong usage, if it is none.
func AddressError(flag string, err error) error {
	text := strings.TrimPrefix(err.Error(), "udp: ")
	if errors.Is(err, udp.ErrAddress) {
		return console.Usagef("%s: cannot %s", flag, text)
	}
	return console.Failed(fmt.Errorf("cannot %s", text))
}
