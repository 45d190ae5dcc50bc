package skirmish

import (
	"syscall"
	"time"
	"unsafe"
)

// processorTime returns how long this thread has computed, so that other programs on the machine do not matter. The
// caller has locked its goroutine to the thread.
func processorTime() time.Duration {
	const thisThread = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	if _, _, e := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, thisThread, uintptr(unsafe.Pointer(&t)), 0); e != 0 {
		return 0
	}
	return time.Duration(t.Nano())
}
