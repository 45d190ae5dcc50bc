package udp

import (
	"errors"
	"syscall"
)

// Winsock's numbers, which are not what the names in package syscall stand for.
const (
	wsaAccess       syscall.Errno = 10013 // the port belongs to a program that does not share it
	wsaMessageSize  syscall.Errno = 10040 // also on reads: the datagram is longer than the buffer
	wsaAddressInUse syscall.Errno = 10048
	wsaNetReset     syscall.Errno = 10052 // a datagram's time to live has run out
	wsaReset        syscall.Errno = 10054 // nobody listens where an earlier datagram went
	wsaRefused      syscall.Errno = 10061
)

func isInUse(err error) bool {
	return errors.Is(err, wsaAddressInUse) || errors.Is(err, wsaAccess)
}

func isTooLong(err error) bool { return errors.Is(err, wsaMessageSize) }

// isRefused reports an error about an earlier datagram: nobody listens where it
// went. The socket is as good as before.
func isRefused(err error) bool {
	return errors.Is(err, wsaReset) || errors.Is(err, wsaRefused) || errors.Is(err, wsaNetReset)
}
