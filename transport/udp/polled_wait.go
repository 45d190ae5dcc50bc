//go:build linux && (amd64 || arm64 || arm || riscv64 || loong64)

package udp

import (
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// lookEvery is the length of a wait that cannot notice datagrams.
const lookEvery = time.Millisecond

// wait returns after d, or, if wake is set, when a datagram is there.
func (b *backlog) wait(d time.Duration, wake bool) {
	switch {
	case d <= 0 || wake && b.waiting():
	case b.alarm != nil && b.alarm.wait(d, wake):
	case wake:
		time.Sleep(min(d, lookEvery))
	default:
		time.Sleep(d)
	}
}

// waiting reports whether there are datagrams that were read but not taken.
func (b *backlog) waiting() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = false // the next read asks the system
	return b.next < b.got
}

// alarm waits for a time, and optionally for a datagram, in one of two ways. [keeper] has the cheaper one. In the other
// one, both are descriptors in one epoll instance, which is a
// descriptor in the poller of Go's runtime: while a goroutine waits here, the only thread that is involved is the one
// that waits in the poller, and it wakes up once. A Go timer wakes up several threads, since it tells other threads to
// look for work, too; and a thread blocked in its own system call is checked by the runtime's monitor every 10 ms,
// which costs as much as a frame.
//
// For the same reason the calls here are raw ones: after any other system call the runtime wakes up its monitor. None
// of them blocks.
type alarm struct {
	epoll  *os.File
	raw    syscall.RawConn
	socket int32
	rung   func(epoll uintptr) bool
	event  syscall.EpollEvent // memory for a call

	mu       sync.Mutex // held during a wait
	timer    uintptr
	spec     timerSpec // the time of this wait
	set      bool      // whether the timer is set
	watching bool      // whether datagrams end the wait
	closed   bool
	closing  atomic.Bool // close has been called
	keep     keeper
}

// timerSpec is struct itimerspec: a timer that fires once.
type timerSpec struct{ interval, value syscall.Timespec }

const clockMonotonic = 1

// newAlarm returns an alarm for a socket, or nil if the system does not allow that.
func newAlarm(socket int) *alarm {
	epoll, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return nil
	}
	_ = syscall.SetNonblock(epoll, true) // if this fails, the runtime does not poll the descriptor, which is detected below
	a := &alarm{epoll: os.NewFile(uintptr(epoll), "epoll"), socket: int32(socket)}
	a.keep.open(a.socket)
	timer, _, errno := syscall.RawSyscall(syscall.SYS_TIMERFD_CREATE, clockMonotonic, syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if errno != 0 {
		a.epoll.Close()
		return nil
	}
	a.timer = timer
	err = syscall.EpollCtl(epoll, syscall.EPOLL_CTL_ADD, int(timer), &syscall.EpollEvent{Events: syscall.EPOLLIN})
	if err == nil {
		err = a.epoll.SetReadDeadline(time.Time{}) // returns an error if the runtime does not poll the descriptor
	}
	if err == nil {
		a.raw, err = a.epoll.SyscallConn()
	}
	if err != nil {
		a.close()
		return nil
	}
	a.rung = a.ring
	return a
}

// wait does the work of [backlog.wait]. It returns false if it cannot wait: while another goroutine waits here, or once
// the socket is closed. Closing the socket ends a wait.
func (a *alarm) wait(d time.Duration, wake bool) bool {
	if !a.mu.TryLock() {
		return false
	}
	defer a.mu.Unlock()
	if a.closed {
		return false
	}
	done := a.await(d, wake)
	waits.Add(-1)
	return done
}

// await waits as long as that is possible.
func (a *alarm) await(d time.Duration, wake bool) bool {
	if a.keep.may(d, waits.Add(1)) && a.quiet() {
		if d = a.keep.wait(d, wake); d <= 0 || a.closing.Load() {
			return true
		}
	}
	a.keep.watched = false
	if !a.watch(wake) {
		return false
	}
	a.spec, a.set = timerSpec{value: syscall.NsecToTimespec(int64(d))}, false
	_ = a.raw.Read(a.rung) // an error means that the alarm was closed in the meantime, which ends the wait
	return true
}

// ring sets the timer and makes the runtime wait the first time it is called; the next time, something has fired. The
// timer is set here because the runtime forgets earlier events. A wait that was ended by a datagram may leave a timer
// that fires in the next one, which then ends early.
func (a *alarm) ring(epoll uintptr) bool {
	if a.set {
		return true
	}
	a.set = true
	_, _, errno := syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, a.timer, 0, uintptr(unsafe.Pointer(&a.spec)), 0, 0, 0)
	if errno != 0 || !a.watching {
		return errno != 0
	}
	n, _, _ := syscall.RawSyscall6(syscall.SYS_EPOLL_PWAIT, epoll, uintptr(unsafe.Pointer(&a.event)), 1, 0, 0, 0)
	return int(n) == 1 // -1 is an error, such as EINTR
}

// quiet makes sure that neither the timer of an earlier wait nor a datagram causes an event in the runtime's poller, which
// would wake up a thread for nothing.
func (a *alarm) quiet() bool {
	if a.set {
		var never timerSpec
		_, _, _ = syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, a.timer, 0, uintptr(unsafe.Pointer(&never)), 0, 0, 0)
		a.set = false
	}
	return a.watch(false)
}

// watch sets whether datagrams end the wait.
func (a *alarm) watch(wake bool) bool {
	if wake == a.watching {
		return true
	}
	how, event := uintptr(syscall.EPOLL_CTL_ADD), syscall.EpollEvent{Events: syscall.EPOLLIN}
	if !wake {
		how = syscall.EPOLL_CTL_DEL
	}
	errno := syscall.Errno(0)
	err := a.raw.Control(func(epoll uintptr) {
		_, _, errno = syscall.RawSyscall6(syscall.SYS_EPOLL_CTL, epoll, how, uintptr(a.socket), uintptr(unsafe.Pointer(&event)), 0, 0)
	})
	if err != nil || errno != 0 {
		return false
	}
	a.watching = wake
	return true
}

// close ends a wait at once, and frees the descriptors.
func (a *alarm) close() {
	if a.closing.Swap(true) {
		return
	}
	a.epoll.Close()
	for !a.mu.TryLock() { // an interruption may come too early for a wait that begins
		a.keep.interrupt()
		time.Sleep(closePause)
	}
	defer a.mu.Unlock()
	a.closed = true
	_ = syscall.Close(int(a.timer))
}

// closePause is the time between attempts to end a wait.
const closePause = 50 * time.Microsecond
