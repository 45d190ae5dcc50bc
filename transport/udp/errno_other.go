//go:build !unix && !windows

package udp

// Systems whose errors have no numbers in common, or no UDP at all: nothing is
// told apart.

func isInUse(error) bool   { return false }
func isTooLong(error) bool { return false }
func isRefused(error) bool { return false }
