//go:build !linux || !(amd64 || arm64 || arm || riscv64 || loong64)

package udp

import (
	"net"
	"net/netip"
	"time"
)

// backlog reads a socket on demand, which is only implemented for Linux on the usual processors.
type backlog struct{}

func newBacklog(*net.UDPConn, bool) *backlog { return nil }

func (b *backlog) close() error { return nil }

func (b *backlog) share() *net.UDPConn { return nil }

func (b *backlog) each(func([]byte, netip.AddrPort, time.Time), *counters) {}

func (b *backlog) wait(time.Duration, bool) {}

func (b *backlog) send([]byte, netip.AddrPort) error { return net.ErrClosed }

func (b *backlog) pop([]byte, *counters) (n int, from netip.AddrPort, at time.Time, ok bool) {
	return 0, netip.AddrPort{}, time.Time{}, false
}
