//go:build cgo

package main

// #include "glue.h"
import "C"

import (
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"time"
	"unsafe"
)

// ownTransport is a transport that the caller has made. It is used by the thread that is in a call of the session alone, since
// only that may call functions of C.
type ownTransport struct {
	shared *C.tb_shared
	closed bool
}

// errSend is merely counted.
var errSend = errors.New("the transport has not sent a datagram")

// addressOf returns the address that stands for a machine with a number: sessions know machines by addresses. They are of
// the range for private networks, so that no limit for one address counts.
func addressOf(machine uint32) netip.AddrPort {
	a := [16]byte{0xfd, 't', 'b'}
	binary.BigEndian.PutUint32(a[12:], machine)
	return netip.AddrPortFrom(netip.AddrFrom16(a), 1)
}

// machineOf is the inverse of addressOf.
func machineOf(a netip.AddrPort) (machine uint32, ok bool) {
	b := a.Addr().As16()
	machine = binary.BigEndian.Uint32(b[12:])
	return machine, a == addressOf(machine)
}

// Send implements tickback.Transport.
func (t *ownTransport) Send(to netip.AddrPort, datagram []byte) error {
	machine, ok := machineOf(to)
	switch {
	case t.closed:
		return net.ErrClosed
	case !ok || len(datagram) == 0:
		return errSend
	case C.tb_glue_send(t.shared, C.uint32_t(machine), unsafe.Pointer(&datagram[0]), C.size_t(len(datagram))) != 0:
		return errSend
	}
	return nil
}

// Receive implements tickback.Transport.
func (t *ownTransport) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	if t.closed || len(buf) == 0 {
		return 0, from, at, false
	}
	var machine C.uint32_t
	n = int(C.tb_glue_receive(t.shared, &machine, unsafe.Pointer(&buf[0]), C.size_t(len(buf))))
	if n <= 0 || n > len(buf) {
		return 0, from, at, false
	}
	return n, addressOf(uint32(machine)), time.Now(), true
}

// Notify implements tickback.Transport: a waiting call looks every millisecond.
func (t *ownTransport) Notify() <-chan struct{} { return nil }

// Close implements tickback.Transport. The functions are not called any more.
func (t *ownTransport) Close() error {
	t.closed = true
	return nil
}
