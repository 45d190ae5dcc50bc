package live

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"syscall"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/transport/udp"
)

// Resolve finds the address for the text of a flag, and checks that the socket can reach it.
func Resolve(ctx context.Context, conn Socket, flag, text string) (netip.AddrPort, error) {
	addr, err := conn.Resolve(ctx, text)
	if errors.Is(err, context.Canceled) {
		return addr, console.Failed(console.ErrInterrupted)
	}
	if err == nil {
		err = conn.Reaches(addr)
	}
	if err != nil {
		return addr, AddressError(flag, err)
	}
	return addr, nil
}

// AddressError explains what is wrong with an address. An address that cannot be parsed is wrong usage.
func AddressError(flag string, err error) error {
	text := strings.TrimPrefix(err.Error(), "udp: ")
	switch {
	case errors.Is(err, udp.ErrAddress):
		return console.Usagef("%s: cannot %s", flag, text)
	case errors.Is(err, udp.ErrInUse):
		text += ": end the other program, or give another port with " + flag
	case errors.Is(err, udp.ErrFamily):
		text += ": give a --listen address of the same family, or none"
	case errors.Is(err, udp.ErrLoopback):
		text += ": give a --listen address of the network, or none, as in :7000"
	case flag == "--listen" && errors.Is(err, syscall.EADDRNOTAVAIL):
		text += ": give an address of this machine, or none, as in :7000"
	}
	return console.Failed(fmt.Errorf("cannot %s", text))
}
