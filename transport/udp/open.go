package udp

import (
	"context"
	"net/netip"
	"time"
)

// resolveTimeout is how long Open waits for a name to resolve.
const resolveTimeout = 10 * time.Second

// Open opens a socket for the loop of a game, and finds the addresses of the others: it does what [ListenPolled] and
// [Conn.Resolve] do, and returns their errors. It is polled, since a loop that updates its match in each frame needs
// no reading goroutine. Use [Listen] for a program that waits on [Conn.Notify].
func Open(listen string, others ...string) (*Conn, []netip.AddrPort, error) {
	c, err := ListenPolled(listen)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), resolveTimeout)
	defer cancel()
	addrs := make([]netip.AddrPort, len(others))
	for i, other := range others {
		if addrs[i], err = c.Resolve(ctx, other); err != nil {
			_ = c.Close() // return the other error
			return nil, nil, err
		}
	}
	return c, addrs, nil
}
