//go:build linux && (amd64 || arm64 || arm || riscv64 || loong64)

package udp

import (
	"runtime"
	"testing"
	"time"
)

// waited is how long a wait takes.
func waited(c *Conn, d time.Duration, wake bool) time.Duration {
	start := time.Now()
	c.Wait(d, wake)
	return time.Since(start)
}

// Rule: a socket waits for as long as it is told, and no longer than until a datagram is there, if it may be
// woken. One that is already there, in the system or read in a batch, is enough.
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

// Rule: who waits holds up neither Close nor a collection of garbage.
func TestWaitingHoldsUpNobody(t *testing.T) {
	a := polled(t, "127.0.0.1:0")
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.Wait(long, true)
	}()
	time.Sleep(10 * time.Millisecond) // it waits
	runtime.GC()
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	<-done
}
