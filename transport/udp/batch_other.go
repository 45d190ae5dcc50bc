//go:build !linux || !(amd64 || arm64 || arm || riscv64 || loong64)

package udp

import (
	"net"
	"net/netip"
)

// batch sends several datagrams with one system call, which is only implemented for Linux on the usual processors.
type batch struct{}

func newBatch(*net.UDPConn, *backlog, bool) *batch { return nil }

func (b *batch) send(*Conn, []netip.AddrPort, [][]byte) error { return net.ErrClosed }
