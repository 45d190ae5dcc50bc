//go:build unix

package udp

import (
	"errors"
	"syscall"
)

func isInUse(err error) bool   { return errors.Is(err, syscall.EADDRINUSE) }
func isTooLong(err error) bool { return errors.Is(err, syscall.EMSGSIZE) }

// isRefused reports whether an error is about an earlier datagram, because no program listens at its destination. The
// socket can still be used.
func isRefused(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET)
}
