//go:build linux && (amd64 || arm64 || arm || riscv64 || loong64)

package udp

import (
	"syscall"
	"time"
	"unsafe"
)

// longestCall bounds one call that waits, so that Close does not have to wait for longer.
const longestCall = 20 * time.Millisecond

// pollFd is struct pollfd.
type pollFd struct {
	fd              int32
	events, revents int16
}

const pollIn = 1 // POLLIN

// wait returns after d, or with wake when a datagram is there. It waits in calls of the system of which the
// scheduler of Go does not know, since a timer of Go wakes up several threads, and so does a thread that the
// scheduler sees waiting for long. Whoever needs the processor, such as a collection of garbage, interrupts
// the call by a signal: at once, or other goroutines after 10 ms at most, if they have no other processor.
func (b *backlog) wait(d time.Duration, wake bool) {
	end := time.Now().Add(d)
	for d > 0 {
		if wake && b.waiting() || !b.doze(min(d, longestCall), wake) {
			return
		}
		d = time.Until(end)
	}
}

// waiting reports whether datagrams were read and not taken yet.
func (b *backlog) waiting() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = false // ask the system next time
	return b.next < b.got
}

// doze waits once, and reports whether to go on: nothing has come, and the socket is open.
func (b *backlog) doze(d time.Duration, wake bool) (on bool) {
	t, ready := syscall.NsecToTimespec(int64(d)), uintptr(0)
	err := b.hold(func(fd uintptr) {
		p := pollFd{fd: int32(fd), events: pollIn}
		count := uintptr(0)
		if wake {
			count = 1
		}
		ready, _, _ = syscall.RawSyscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p)), count, uintptr(unsafe.Pointer(&t)), 0, 0, 0)
	})
	return err == nil && ready != 1 // -1 is an error, such as EINTR
}
