package ggpo_test

import (
	"bytes"
	"errors"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/compat/ggpo"
)

// goroutine returns the name of the goroutine that calls it.
func goroutine() string {
	b := make([]byte, 64)
	name, _, _ := bytes.Cut(b[:runtime.Stack(b, false)], []byte(" ["))
	return string(name)
}

// All callbacks are on the goroutine and the thread of the caller, whether it is locked to its thread or not, and
// though that changes between frames.
func TestCallbacksAreOnTheCallersThread(t *testing.T) {
	w, players := meet(t, plan{machines: []int{1, 1}, spectators: 1, link: lossy, seed: 30})
	seen := map[string]int{}
	locked, home, caller := 0, thread(), goroutine()
	check := func(call string) {
		seen[call]++
		if g := goroutine(); g != caller {
			t.Fatalf("%s is on %s, the caller on %s", call, g, caller)
		}
		if locked > 0 && thread() != home {
			t.Fatalf("%s is on thread %d, the caller on %d", call, thread(), home)
		}
	}
	for _, p := range players {
		p.onSave = func(int) { check("SaveGameState") }
		p.onLoad = func(int) { check("LoadGameState") }
		p.onAdvance = func() bool { check("AdvanceFrame"); return false }
		p.onEvent = func(*ggpo.Event) { check("OnEvent") }
	}
	draw := random(1)
	w.run(5*time.Second, loopsOf(players), func() {
		switch n := draw() % 8; { // no frame is open here
		case n == 0 && locked < 3:
			runtime.LockOSThread()
			if locked++; locked == 1 {
				home = thread()
			}
		case n < 3 && locked > 0:
			runtime.UnlockOSThread()
			locked--
		}
	})
	for ; locked > 0; locked-- {
		runtime.UnlockOSThread()
	}
	for _, call := range []string{"SaveGameState", "LoadGameState", "AdvanceFrame", "OnEvent"} {
		if seen[call] < 5 {
			t.Errorf("%s was called %d times", call, seen[call])
		}
	}
	equal(t, 200, players...)
}

// goroutines waits until there are no more goroutines than these, if that will ever be.
func goroutines(most int) bool {
	for range 100_000 {
		if runtime.NumGoroutine() <= most {
			return true
		}
		runtime.Gosched()
	}
	return false
}

// A panic, or runtime.Goexit, in a callback arrives at the caller. After that only Close does something: it frees the
// transport, leaves no coroutine behind, and the others are told.
func TestACallbackThatDoesNotReturn(t *testing.T) {
	boom := errors.New("boom")
	for _, exit := range []bool{false, true} {
		for _, callback := range []string{"SaveGameState", "LoadGameState", "AdvanceFrame", "AdvanceFrame, in the middle", "OnEvent"} {
			before := runtime.NumGoroutine()
			w, players := meet(t, plan{machines: []int{1, 1}, link: lossy, seed: 31})
			loops := loopsOf(players)
			w.run(3*time.Second, loops, nil)
			p := players[0]
			fail := func() {
				p.onSave, p.onLoad, p.onAdvance, p.onEvent, p.onStep = nil, nil, nil, nil, nil
				if exit {
					runtime.Goexit()
				}
				panic(boom)
			}
			switch callback {
			case "SaveGameState":
				p.onSave = func(int) { fail() }
			case "LoadGameState":
				p.onLoad = func(int) { fail() }
			case "AdvanceFrame":
				p.onAdvance = func() bool { fail(); return false }
			case "AdvanceFrame, in the middle":
				p.onAdvance = func() bool { p.onStep = fail; return false }
			case "OnEvent":
				p.onEvent = func(*ggpo.Event) { fail() }
			}
			var got any
			done := make(chan bool)
			go func() { // since Goexit ends the goroutine
				defer close(done)
				defer func() { got = recover() }()
				w.run(10*time.Second, loops, nil)
				got = "returned"
			}()
			<-done
			if exit && got != nil || !exit && got != boom {
				t.Errorf("%s, Goexit %v: the caller gets %v", callback, exit, got)
			}
			if err := p.backend.AddLocalInput(1, []byte{1, 2, 3}, 3); callback != "OnEvent" && !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodeInvalidSession}) {
				t.Errorf("%s: after that AddLocalInput returns %v", callback, err)
			}
			w.meanwhile = loops[1:]
			ok(t, p.backend.Close())
			ok(t, p.backend.Close())
			w.run(8*time.Second, loops[1:], nil)
			if other := players[1]; other.count(ggpo.EventCodeDisconnectedFromPeer) != 1 || other.count(ggpo.EventCodeDesync) != 0 {
				t.Errorf("%s: the other is told %v", callback, other.events)
			}
			if w.ports[0].closed != 1 {
				t.Errorf("%s: the transport was closed %d times", callback, w.ports[0].closed)
			}
			w.meanwhile = nil
			ok(t, players[1].backend.Close())
			if !goroutines(before) {
				t.Errorf("%s: %d goroutines, and %d before", callback, runtime.NumGoroutine(), before)
			}
		}
	}
}

// Close in the middle of a frame, in each callback, and between calls, leaves no coroutine behind, frees the transport
// once, and tells the others, who do not see a desync.
func TestCloseAnywhere(t *testing.T) {
	for _, place := range []string{"between", "open frame", "SaveGameState", "LoadGameState", "AdvanceFrame", "AdvanceFrame, in the middle", "OnEvent"} {
		before := runtime.NumGoroutine()
		w, players := meet(t, plan{machines: []int{1, 1}, link: lossy, seed: 32})
		loops := loopsOf(players)
		w.run(3*time.Second, loops, nil)
		p := players[0]
		closed := false
		leave := func() {
			p.onSave, p.onLoad, p.onAdvance, p.onEvent, p.onStep = nil, nil, nil, nil, nil
			loops[0].stop, closed, w.meanwhile = true, true, loops[1:]
			ok(t, p.backend.Close())
		}
		switch place {
		case "between":
			leave()
		case "open frame":
			p.onStep = leave
		case "SaveGameState":
			p.onSave = func(int) { leave() }
		case "LoadGameState":
			p.onLoad = func(int) { leave() }
		case "AdvanceFrame":
			p.onAdvance = func() bool { leave(); return true }
		case "AdvanceFrame, in the middle":
			p.onAdvance = func() bool { p.onStep = leave; return false }
		case "OnEvent":
			p.onEvent = func(*ggpo.Event) { leave() }
		}
		w.run(8*time.Second, loops, nil)
		saves, again := p.saves, p.again
		if err := p.backend.Idle(0); !closed || !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodeInvalidSession}) || !strings.Contains(err.Error(), "after Close") {
			t.Errorf("%s: closed %v, and Idle returns %v", place, closed, err)
		}
		w.run(8*time.Second, loops[1:], nil)
		other, why := players[1], "closed"
		if place == "SaveGameState" || place == "LoadGameState" || strings.HasPrefix(place, "AdvanceFrame") {
			why = "the game has left in the middle of a frame" // it cannot say how the match is at its end
		}
		if other.count(ggpo.EventCodeDisconnectedFromPeer) != 1 || other.count(ggpo.EventCodeDesync) != 0 || !strings.Contains(other.event(ggpo.EventCodeDisconnectedFromPeer).Text, why) {
			t.Errorf("%s: the other is told %v", place, other.events)
		}
		if w.ports[0].closed != 1 || p.saves != saves || p.again != again {
			t.Errorf("%s: the transport was closed %d times; %d saves and %d frames after Close", place, w.ports[0].closed, p.saves-saves, p.again-again)
		}
		w.meanwhile = nil
		ok(t, players[1].backend.Close())
		if !goroutines(before) {
			t.Errorf("%s: %d goroutines, and %d before", place, runtime.NumGoroutine(), before)
		}
	}
}

// fragile is a transport that panics.
type fragile struct {
	*port
	broken bool
	sent   int
}

func (f *fragile) Send(to netip.AddrPort, b []byte) error {
	if f.broken {
		f.sent++
		panic("a wire is loose")
	}
	return f.port.Send(to, b)
}

// A panic of a transport arrives at the caller as well, and Close frees the transport without using it again.
func TestATransportThatPanics(t *testing.T) {
	w := newWorld(t, 2, 33, lossy)
	p := newPlayer(t, 3, 33)
	b := ggpo.NewPeer(p, 7000, 2, 3)
	p.backend = &b
	wire := &fragile{port: w.ports[0]}
	ok(t, b.SetOptions(w.ports[0].options(33)))
	ok(t, b.InitializeConnection(wire))
	var h ggpo.PlayerHandle
	local, remote := ggpo.NewLocalPlayer(20, 1), ggpo.NewRemotePlayer(20, 2, ip(1), 7000)
	ok(t, b.AddPlayer(&local, &h))
	ok(t, b.AddPlayer(&remote, &h))
	b.Start()
	ok(t, b.Idle(0))
	wire.broken = true
	func() {
		defer func() {
			if r := recover(); r != "a wire is loose" {
				t.Errorf("the caller gets %v", r)
			}
		}()
		for range 1000 {
			w.pass(ms)
			ok(t, b.Idle(0))
		}
	}()
	if err := b.Idle(0); !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodeInvalidSession}) {
		t.Error(err)
	}
	if ok(t, b.Close()); w.ports[0].closed != 1 || wire.sent != 1 {
		t.Errorf("the transport was closed %d times, and %d datagrams were sent over it", w.ports[0].closed, wire.sent)
	}
}

// A game that is paused does nothing in a frame, and may return from the callback AdvanceFrame at once. Such a frame has the
// checksum of the one before, also if that one was loaded because nobody had foreseen the pause: the checksums of what was
// simulated instead would be a desync.
func TestAFrameThatIsPausedAfterALoad(t *testing.T) {
	w, players := meet(t, plan{machines: []int{1, 1}, link: lossy, seed: 33})
	var first [2]int // how often the first frame after a load was such a frame
	for i, p := range players {
		const pause = 0xff
		tries, keys, loaded := 0, p.keys, false
		p.keys = func(h ggpo.PlayerHandle, frame uint32) []byte {
			tries++
			in := append([]byte(nil), keys(h, frame)...)
			if in[0] = in[0] & 0x7f; tries%40 >= 25 && tries/40%2 == i { // they pause in turn
				in[0] = pause
			}
			return in
		}
		p.paused = func(inputs [][]byte) bool { return inputs[0][0] == pause || inputs[1][0] == pause }
		p.loaded = func(int) { loaded = true }
		p.onAdvance = func() bool {
			inputs, err := p.backend.SyncInput(nil)
			ok(t, err)
			skip := p.paused(inputs)
			if skip && loaded {
				first[i]++
			}
			loaded = false
			return skip
		}
	}
	w.run(20*time.Second, loopsOf(players), nil)
	equal(t, 500, players...)
	healthy(t, players...)
	for i, n := range first {
		if n < 5 {
			t.Errorf("machine %d: only %d pauses come right after a load", i, n)
		}
	}
}
