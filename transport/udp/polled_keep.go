//go:build linux && (amd64 || arm64 || arm || riscv64 || loong64)

package udp

import (
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

const (
	// longestKept is the length of the longest wait that keeps a processor: three frames at 60 a second, or a tick of a
	// server at 20. In longer ones there is little to save, and others would miss the processor for longer if, for a
	// reason that nobody has thought of, no signal came.
	longestKept = 60 * time.Millisecond
	// renewAfter is how many waits in a row keep a processor before one parks, so that the runtime's monitor can go to
	// sleep, and somebody else waits in the runtime's poller.
	renewAfter = 128
	// lookAtOthers is how many waits there are for each in which the number of processors, and the processor time of other
	// threads, are looked at.
	lookAtOthers = 16
	// fewestParked and mostParked bound how many waits park after one that was interrupted.
	fewestParked, mostParked = 2, 1024
)

// preemptible says whether the runtime interrupts a thread that does not return from a call.
var preemptible = !strings.Contains(os.Getenv("GODEBUG"), "asyncpreemptoff=1")

// waits is how many goroutines wait at sockets of this process.
var waits atomic.Int32

// keeper waits as a program in C would: in one call of the system, which ends with the time or with a datagram. The
// runtime is not told. So the goroutine keeps its processor, which is one of GOMAXPROCS, and no other goroutine can have
// it. In return nothing of Go's scheduler runs before and after the wait, which takes as much processor time as all else in
// a frame: its memory has left the caches since the last one.
//
// That others are not held up:
//
//   - With only one processor, or while somebody else waits at a socket, waits park. So they do for a while when other
//     threads of the process have used more than a little time during one. Both are looked at now and then.
//   - Whoever needs all processors, such as the garbage collector, sends a signal to each thread, again and again until it
//     stops. A signal ends the call. What is left of the wait then parks, as do some of the next ones: more each time.
//   - So does the runtime's monitor, after 10 ms. It sleeps while nothing in the process runs but this loop, and wakes up
//     for timers and calls of the system.
//   - Another thread waits in the runtime's poller, for other sockets, files and timers. It is sent there before the first
//     of several waits, since this thread may have been the one that was there.
//
// A goroutine that this one has made runnable is taken by a thread that the runtime wakes up for it.
type keeper struct {
	thread  atomic.Int32 // the thread that waits; 0 if none does
	socket  pollDescriptor
	spec    syscall.Timespec
	clock   syscall.Timespec
	longest time.Duration
	watched bool // another thread was sent to the poller since this one may have been there
	parks   int  // how many of the next waits park
	penalty int  // how many park after the next interruption
	run     int  // how many waits in a row have kept a processor

	kept, interrupted atomic.Int64 // waits that did not park, and how many of them were interrupted
}

// pollDescriptor is struct pollfd.
type pollDescriptor struct {
	fd        int32
	events, _ int16
}

const (
	pollIn       = 1 // POLLIN
	clockProcess = 2 // CLOCK_PROCESS_CPUTIME_ID
)

// open prepares waits at a socket.
func (k *keeper) open(socket int32) {
	k.longest, k.penalty = longestKept, fewestParked
	k.socket = pollDescriptor{fd: socket, events: pollIn}
}

// may reports whether a wait may keep its processor; waiting is how many goroutines wait now, with this one.
func (k *keeper) may(d time.Duration, waiting int32) bool {
	if !preemptible || waiting > 1 || d > k.longest {
		return false
	}
	if k.parks > 0 {
		k.parks--
		return false
	}
	if k.looks() && runtime.GOMAXPROCS(0) < 2 {
		return false
	}
	if k.run++; k.run > renewAfter {
		k.run, k.penalty = 0, max(fewestParked, k.penalty/2)
		return false
	}
	return true
}

// looks reports whether the next wait is one in which others are looked at.
func (k *keeper) looks() bool { return k.run%lookAtOthers == 0 }

// wait returns after d, or, if wake is set, when a datagram is there. Otherwise it was interrupted, and returns how much of
// the wait is left, of which the system keeps account.
func (k *keeper) wait(d time.Duration, wake bool) (left time.Duration) {
	if !k.watched {
		k.watched = true
		go func() {}() // makes the runtime wake up a thread, which finds nothing to do but to wait in the poller
	}
	thread, _, _ := syscall.RawSyscall(syscall.SYS_GETTID, 0, 0, 0)
	k.thread.Store(int32(thread))
	k.kept.Add(1)
	look, before := k.run%lookAtOthers == 1, time.Duration(0)
	if look {
		before = k.used()
	}
	k.spec = syscall.NsecToTimespec(int64(d))
	errno := k.sleep(wake)
	k.thread.Store(0)
	if errno == 0 {
		if look && k.used()-before > fairShare(d) {
			k.disturb()
		}
		return 0
	}
	k.interrupted.Add(1)
	k.disturb()
	return time.Duration(k.spec.Nano())
}

// sleep makes the call. When it is interrupted, the system writes into spec what is left.
func (k *keeper) sleep(wake bool) syscall.Errno {
	if wake {
		_, _, errno := syscall.RawSyscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&k.socket)), 1, uintptr(unsafe.Pointer(&k.spec)), 0, 0, 0)
		return errno
	}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_CLOCK_NANOSLEEP, clockMonotonic, 0, uintptr(unsafe.Pointer(&k.spec)), uintptr(unsafe.Pointer(&k.spec)), 0, 0)
	return errno
}

// disturb makes some of the next waits park.
func (k *keeper) disturb() {
	k.parks, k.penalty, k.run = k.penalty, min(2*k.penalty, mostParked), 0
}

// used returns the processor time of the process, which grows during a wait only by that of other threads, and by a few
// microseconds.
func (k *keeper) used() time.Duration {
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockProcess, uintptr(unsafe.Pointer(&k.clock)), 0)
	return time.Duration(k.clock.Nano())
}

// fairShare is how much of a wait other threads may run: more means that they have work to do.
func fairShare(d time.Duration) time.Duration { return 100*time.Microsecond + d/32 }

// interrupt ends a wait that keeps its processor, if there is one: what is left of it parks. A wait that is about to
// begin does not notice it.
func (k *keeper) interrupt() {
	if thread := k.thread.Load(); thread != 0 {
		_, _, _ = syscall.RawSyscall(syscall.SYS_TGKILL, uintptr(syscall.Getpid()), uintptr(thread), uintptr(syscall.SIGURG)) // the runtime's own signal
	}
}
