package live

import (
	"context"
	"net/netip"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/transport/udp"
)

// Socket is what a command needs from a socket.
type Socket interface {
	tickback.Transport
	tickback.Reacher
	// LocalAddr returns the address at which the socket receives.
	LocalAddr() netip.AddrPort
	// Resolve finds the address for a text that a person has given.
	Resolve(ctx context.Context, address string) (netip.AddrPort, error)
}

// Network opens sockets. A polled socket costs less, but does not notify the caller when something arrives.
type Network func(listen string, polled bool) (Socket, error)

type networkKey struct{}

// On returns a context in which commands use this network instead of that of the machine.
func On(ctx context.Context, n Network) context.Context {
	return context.WithValue(ctx, networkKey{}, n)
}

// Listen opens a socket over the network of the context.
func Listen(ctx context.Context, listen string, polled bool) (Socket, error) {
	n, given := ctx.Value(networkKey{}).(Network)
	if !given {
		n = overUDP
	}
	s, err := n(listen, polled)
	if err != nil {
		return nil, AddressError("--listen", err)
	}
	return s, nil
}

func overUDP(listen string, polled bool) (Socket, error) {
	open := udp.Listen
	if polled {
		open = udp.ListenPolled
	}
	conn, err := open(listen)
	if err != nil {
		return nil, err // not a Socket that contains a nil pointer
	}
	return conn, nil
}
