//go:build linux && (amd64 || arm64 || arm || riscv64 || loong64)

package udp

import (
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
)

// waited returns how long a wait takes.
func waited(c *Conn, d time.Duration, wake bool) time.Duration {
	start := time.Now()
	c.Wait(d, wake)
	return time.Since(start)
}

// Rule: a socket waits for the given time, and, if it may be woken, no longer than until a datagram is there. One that
// is already there, in the system or read in a batch, is enough.
func TestASocketWaits(t *testing.T) {
	for name, a := range map[string]*Conn{"polled": polled(t, "127.0.0.1:0"), "another": listen(t, "127.0.0.1:0")} {
		t.Run(name, func(t *testing.T) {
			b := listen(t, "127.0.0.1:0")
			buf := make([]byte, 100)
			for _, wake := range []bool{false, true} {
				if d := waited(a, 30*time.Millisecond, wake); d < 30*time.Millisecond {
					t.Errorf("wake %v: it returned after %v", wake, d)
				}
			}
			go func() {
				time.Sleep(5 * time.Millisecond)
				_ = b.Send(a.LocalAddr(), []byte("x"))
			}()
			if d := waited(a, long, true); d >= long {
				t.Errorf("the datagram did not wake it")
			}
			next(t, a, buf)
			send(t, b, a.LocalAddr(), "y")
			send(t, b, a.LocalAddr(), "z")
			next(t, a, buf) // reads both
			if d := waited(a, long, true); d >= long {
				t.Error("one that was there did not keep it from waiting")
			}
			if d := waited(a, 30*time.Millisecond, false); d < 30*time.Millisecond {
				t.Errorf("it was woken, though it must not: after %v", d)
			}
		})
	}
}

// Rule: a waiting goroutine delays neither Close nor garbage collection, and Close ends the wait.
func TestWaitingHoldsUpNobody(t *testing.T) {
	for _, wake := range []bool{false, true} {
		a := polled(t, "127.0.0.1:0")
		done := make(chan struct{})
		go func() {
			defer close(done)
			if d := waited(a, long, wake); d >= long {
				t.Errorf("wake %v: it waited on for %v", wake, d)
			}
		}()
		time.Sleep(10 * time.Millisecond) // it waits
		runtime.GC()
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		<-done
	}
}

// Rule: several goroutines can wait at one socket, each for its own time.
func TestSeveralWaitAtASocket(t *testing.T) {
	a := polled(t, "127.0.0.1:0")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if d := waited(a, 30*time.Millisecond, false); d < 30*time.Millisecond {
				t.Errorf("one of four waited for %v", d)
			}
		})
	}
	all.Wait()
}

// Rule: after a wait that was ended by Close, waiting on the socket takes its time, and does nothing else.
func TestAClosedSocketWaits(t *testing.T) {
	a := polled(t, "127.0.0.1:0")
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if d := waited(a, 10*time.Millisecond, false); d < 10*time.Millisecond {
		t.Errorf("a closed socket waited for %v", d)
	}
}

// Rule: if the system has no alarm, the socket is polled every millisecond.
func TestASocketWaitsWithoutAnAlarm(t *testing.T) {
	a, b := polled(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	a.backlog.alarm.close()
	a.backlog.alarm = nil
	if d := waited(a, 10*time.Millisecond, false); d < 10*time.Millisecond {
		t.Errorf("it returned after %v", d)
	}
	if d := waited(a, long, true); d >= long {
		t.Error("it did not look whether there is a datagram")
	}
	send(t, b, a.LocalAddr(), "x")
	next(t, a, make([]byte, 10))
}

// Rule: a waiting goroutine leaves the processor to others, even if there is only one: a goroutine that yields again
// and again runs while another one waits.
func TestWaitingLeavesTheProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	a := polled(t, "127.0.0.1:0")
	for range 3 {
		over := make(chan struct{})
		go func() {
			a.Wait(200*time.Millisecond, false)
			close(over)
		}()
		turns := 0
		for done := false; !done; turns++ {
			select {
			case <-over:
				done = true
			default:
				runtime.Gosched()
			}
		}
		if turns < 1000 { // a wait that holds the processor releases it every 10 ms
			t.Errorf("another goroutine ran %d times while one waited", turns)
		}
	}
}

func usage(b testing.TB) (u syscall.Rusage) {
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u
}
