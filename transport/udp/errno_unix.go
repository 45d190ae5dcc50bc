//go:build unix

package udp

import (
	"errors"
	"syscall"
)

func isInUse(err error) bool   { return errors.Is(err, syscall.EADDRINUSE) }
func isTooLong(err error) bool { return errors.Is(err, syscall.EMSGSIZE) }

// isRefused reports an error about an earlier datagram: nobody listens where it
// went. The socket is as good as before.
func isRefused(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET)
}
