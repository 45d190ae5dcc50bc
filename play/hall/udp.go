//go:build !js

package hall

import (
	"context"
	"net/netip"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/transport/udp"
)

// UDP is a function for Dial of a [Config]: it opens a socket, and resolves the address of a server, such as
// host1:7000.
func UDP(ctx context.Context, address string) (tickback.Transport, netip.AddrPort, error) {
	conn, err := udp.Listen(":0")
	if err != nil {
		return nil, netip.AddrPort{}, err
	}
	at, err := conn.Resolve(ctx, address)
	if err != nil {
		_ = conn.Close() // the other error is the one to return
		return nil, netip.AddrPort{}, err
	}
	return conn, at, nil
}
