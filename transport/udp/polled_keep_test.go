//go:build linux && (amd64 || arm64 || arm || riscv64 || loong64)

package udp

import (
	"net"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// forever is longer than any test, and yet a wait that may keep its processor for that long.
const forever = time.Hour

// keeping returns a socket whose waits keep their processor, however long they are. The test is skipped if there are no
// two processors, or no signals that interrupt a wait.
func keeping(t testing.TB) (*Conn, *keeper) {
	t.Helper()
	c := polled(t, "127.0.0.1:0")
	if c.backlog.alarm == nil || !preemptible {
		t.Skip("waits park here")
	}
	before := runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0)))
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	k := &c.backlog.alarm.keep
	k.longest = forever
	return c, k
}

// waitsFor starts a wait, and returns when it keeps its processor. The channel is closed when the wait has ended.
func waitsFor(t *testing.T, c *Conn, k *keeper, d time.Duration, wake bool) (over chan struct{}) {
	t.Helper()
	over = make(chan struct{})
	before := k.kept.Load()
	go func() {
		defer close(over)
		c.Wait(d, wake)
	}()
	await(t, "the wait keeps its processor", func() bool { return k.kept.Load() > before })
	return over
}

// Rule: a wait that keeps its processor lasts as long as it should, and ends with a datagram if that may wake it.
func TestAKeptWait(t *testing.T) {
	a, k := keeping(t)
	b := listen(t, "127.0.0.1:0")
	for _, wake := range []bool{false, true} {
		k.parks = 0 // the wait before may have been interrupted
		if d := waited(a, 20*time.Millisecond, wake); d < 20*time.Millisecond {
			t.Errorf("wake %v: it returned after %v", wake, d)
		}
	}
	if k.kept.Load() != 2 {
		t.Fatalf("%d of 2 waits kept their processor", k.kept.Load())
	}
	k.parks = 0
	over := waitsFor(t, a, k, forever, true)
	send(t, b, a.LocalAddr(), "x")
	<-over
	next(t, a, make([]byte, 10))
	send(t, b, a.LocalAddr(), "y")
	if d := waited(a, 20*time.Millisecond, false); d < 20*time.Millisecond {
		t.Errorf("a datagram ended a wait after %v that it must not end", d)
	}
}

// Rule: Close ends a wait that keeps its processor.
func TestCloseEndsAKeptWait(t *testing.T) {
	for _, wake := range []bool{false, true} {
		a, k := keeping(t)
		over := waitsFor(t, a, k, forever, wake)
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		<-over
	}
}

// Rule: a wait that keeps its processor gives way to the garbage collector, which needs all of them. What is left of it
// parks.
func TestAKeptWaitGivesWay(t *testing.T) {
	a, k := keeping(t)
	over := waitsFor(t, a, k, forever, true)
	await(t, "it was interrupted", func() bool {
		runtime.GC() // returns, though the wait does not end
		return k.interrupted.Load() > 0
	})
	select {
	case <-over:
		t.Fatal("the wait has ended")
	default:
	}
	send(t, a, a.LocalAddr(), "x")
	<-over
	if k.parks != fewestParked {
		t.Errorf("%d of the next waits park", k.parks)
	}
}

// Rule: while a wait keeps its processor, others' network traffic is noticed, though the thread of the wait may be the one
// that has noticed it until then.
func TestAKeptWaitLeavesThePoller(t *testing.T) {
	a, k := keeping(t)
	other, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for range 20 {
		go func() { // answers one datagram
			buf := make([]byte, 10)
			if n, from, err := other.ReadFromUDPAddrPort(buf); err == nil {
				_, _ = other.WriteToUDPAddrPort(buf[:n], from)
			}
		}()
		k.parks = 1
		a.Wait(time.Millisecond, false) // ends in the poller
		send(t, a, other.LocalAddr().(*net.UDPAddr).AddrPort(), "x")
		before := k.kept.Load()
		for came := false; !came; _, _, _, came = a.Receive(make([]byte, 10)) {
			a.Wait(forever, true)
		}
		if k.kept.Load() == before {
			t.Fatal("the wait parked")
		}
		k.run = 0
	}
}

// Rule: while a wait keeps its processor, timers fire, and goroutines run that this one has started just before.
func TestAKeptWaitLeavesWorkToOthers(t *testing.T) {
	a, k := keeping(t)
	for name, start := range map[string]func(func()){
		"timer":     func(f func()) { time.AfterFunc(time.Millisecond, f) },
		"goroutine": func(f func()) { go f() },
	} {
		for range 20 {
			k.parks = 1
			a.Wait(time.Millisecond, false) // ends in the poller
			before := k.kept.Load()
			start(func() { _ = a.Send(a.LocalAddr(), []byte("x")) })
			for came := false; !came; _, _, _, came = a.Receive(make([]byte, 10)) {
				a.Wait(forever, true)
			}
			if k.kept.Load() == before {
				t.Errorf("%s: the wait parked", name)
			}
			k.run = 0
		}
	}
}

// Rule: waits park if there is only one processor, if somebody else waits at a socket, if they are long, now and then
// after many that do not, and after an interruption, each time more of them.
func TestWhoKeepsAProcessor(t *testing.T) {
	_, k := keeping(t)
	k.longest = longestKept
	if !k.may(longestKept, 1) || k.may(longestKept+1, 1) || k.may(1, 2) {
		t.Error("it asks neither how long a wait is, nor whether it is the only one")
	}
	before := runtime.GOMAXPROCS(1)
	kept := 0
	for range renewAfter {
		if k.may(1, 1) {
			kept++
		}
	}
	runtime.GOMAXPROCS(before)
	if kept >= lookAtOthers { // until the next look
		t.Errorf("%d waits keep the only processor", kept)
	}
	k.run = 0
	parked := func(n int) (parks int) {
		for range n {
			if !k.may(1, 1) {
				parks++
			}
		}
		return parks
	}
	if n := parked(10 * (renewAfter + 1)); n != 10 {
		t.Errorf("%d waits of ten rounds park", n)
	}
	for _, want := range []int{2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1024} {
		k.disturb()
		if n := parked(want + renewAfter); n != want {
			t.Fatalf("%d waits park after an interruption, want %d", n, want)
		}
	}
	parked(8 * (renewAfter + 1)) // undisturbed
	k.disturb()
	if n := parked(renewAfter); n != 4 {
		t.Errorf("%d waits park after calm ones", n)
	}
}

// Rule: waits park after one during which other threads of the process have run.
func TestWhoWorksGetsTheProcessor(t *testing.T) {
	a, k := keeping(t)
	var stop atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for !stop.Load() {
		}
	}()
	await(t, "a wait has noticed it", func() bool {
		k.parks, k.run = 0, 0
		before := k.interrupted.Load()
		a.Wait(5*time.Millisecond, false)
		return k.parks > 0 && k.interrupted.Load() == before
	})
	stop.Store(true)
	<-ended
}

// Rule: neither way to wait allocates anything.
func TestAWaitAllocatesNothing(t *testing.T) {
	a, k := keeping(t)
	for _, longest := range []time.Duration{0, forever} {
		k.longest = longest
		a.Wait(time.Microsecond, true)
		if n := testing.AllocsPerRun(100, func() { a.Wait(time.Microsecond, false) }); n > 0 {
			t.Errorf("%v allocations", n)
		}
	}
}
