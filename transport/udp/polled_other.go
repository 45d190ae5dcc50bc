//go:build !linux

package udp

import (
	"net"
	"net/netip"
	"time"
)

// backlog reads a socket when it is asked, which only Linux does here.
type backlog struct{}

func newBacklog(*net.UDPConn) *backlog { return nil }

func (b *backlog) pop([]byte, *counters) (n int, from netip.AddrPort, at time.Time, ok bool) {
	return 0, netip.AddrPort{}, time.Time{}, false
}
