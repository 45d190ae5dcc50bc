//go:build unix

package main

import (
	"syscall"
	"time"
)

// processor returns the processor time that this process has taken, of all its threads.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // it cannot fail with these arguments
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// switches returns how often this process has given up a processor to wait.
func switches() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return int64(u.Nvcsw)
}
