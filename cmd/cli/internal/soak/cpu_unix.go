//go:build unix

package soak

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time of this process, on all processors together, without that of other processes on
// the machine.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
