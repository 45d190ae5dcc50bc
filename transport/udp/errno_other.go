//go:build !unix && !windows

package udp

// These systems have no common error numbers, or no UDP at all: errors are not
// classified.

func isInUse(error) bool   { return false }
func isTooLong(error) bool { return false }
func isRefused(error) bool { return false }
