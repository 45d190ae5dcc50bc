package udp

import (
	"errors"
	"syscall"
)

// The error numbers of Winsock, which are not the values of the names in package syscall.
const (
	wsaAccess       syscall.Errno = 10013 // the port belongs to a program that does not share it
	wsaMessageSize  syscall.Errno = 10040 // also on reads: the datagram is longer than the buffer
	wsaAddressInUse syscall.Errno = 10048
	wsaNetReset     syscall.Errno = 10052 // a datagram's time to live has run out
	wsaReset        syscall.Errno = 10054 // no program listens at the destination of an earlier datagram
	wsaRefused      syscall.Errno = 10061
)

func isInUse(err error) bool {
	return errors.Is(err, wsaAddressInUse) || errors.Is(err, wsaAccess)
}

func isTooLong(err error) bool { return errors.Is(err, wsaMessageSize) }

// isRefused reports whether an error is about an earlier datagram, because no program listens at its destination. The
// socket can still be used.
func isRefused(err error) bool {
	return errors.Is(err, wsaReset) || errors.Is(err, wsaRefused) || errors.Is(err, wsaNetReset)
}
