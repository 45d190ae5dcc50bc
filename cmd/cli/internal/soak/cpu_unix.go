//go:build unix

package soak

import (
	"syscall"
	"time"
)

// cpuTime is how long this process has computed, on all processors together; the time
// that others on the machine take does not count.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
