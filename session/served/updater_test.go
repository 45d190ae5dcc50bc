package served

import (
	"testing"
	"time"
)

// Rule: the next whole state begins when the last one has arrived, whether the stream in which it was sent shows that, or
// the client says that it holds it. The acknowledgement of a stream is only repeated when its fragment arrives again, so
// several in a row may get lost.
func TestTheNextWholeStateDoesNotWaitForTheStream(t *testing.T) {
	for _, c := range []struct {
		held    bool
		pending int
		due     bool
	}{{false, 90, false}, {true, 90, true}, {false, 0, true}, {true, 0, true}} {
		var w fullStates
		w.begin(100, make([]byte, 80), time.Minute)
		w.left.Next() // all of it is in the stream
		if c.held {
			w.held(100)
		}
		if w.due(time.Minute+wholeEvery-1, 0, c.pending) {
			t.Errorf("held %v, %d bytes pending: it begins at once", c.held, c.pending)
		}
		if due := w.due(time.Minute+wholeEvery, 0, c.pending); due != c.due {
			t.Errorf("held %v, %d bytes pending: due %v", c.held, c.pending, due)
		}
		if w.left.Next(); !w.left.Done() {
			t.Fatal("a part is left")
		}
		w.left.Begin(make([]byte, 80), 0)
		if w.due(2*time.Minute, 0, 0) {
			t.Errorf("held %v: another one begins while one is sent", c.held)
		}
	}
}

// Rule: a silent client gets no whole state, which would be old when it arrives. A client is silent if it has sent
// nothing for a second, and for four ticks, since it may send no more than one datagram per tick.
func TestWhoIsSilentGetsNoWholeState(t *testing.T) {
	for _, c := range []struct {
		rate   int
		silent time.Duration
		gets   bool
	}{
		{50, time.Second, true},
		{50, time.Second + 1, false},
		{4, time.Second + 1, false},
		{1, 4 * time.Second, true},
		{1, 4*time.Second + 1, false},
	} {
		f := newFixture(t)
		f.server.cfg.TickRate = c.rate
		p, _ := f.other.Player()
		k := f.server.clients.of[p]
		k.view, k.fullStates = view{}, fullStates{} // it holds nothing, and has got nothing
		now := f.now + time.Minute
		k.pipe.Heard = now - c.silent
		f.server.updater.tell(k, now)
		if gets := k.fullStates.at != 0; gets != c.gets {
			t.Errorf("at %d ticks a second, silent for %v: it gets a whole state: %v", c.rate, c.silent, gets)
		}
	}
}

// Rule: an update has a byte of its number if updates are at most three ticks apart, and if its client holds a state that is
// recent enough for one; and two bytes otherwise, as has a datagram without an update.
func TestWhenAByteOfTheNumberIsEnough(t *testing.T) {
	for _, c := range []struct {
		rate, states int
		old          Frame
		near         bool
	}{{51, 17, 1, true}, {51, 16, 1, false}, {51, 51, 20, true}, {51, 51, 64, false}} {
		f := newFixture(t)
		p, _ := f.other.Player()
		k := f.server.clients.of[p]
		f.server.cfg.TickRate, f.server.cfg.States = c.rate, c.states
		k.view.newest = f.server.Frame() - c.old
		f.server.updater.tell(k, f.server.now)
		if head := f.server.updater.body[0]; (head&downNear != 0) != c.near {
			t.Errorf("at %d ticks and %d states a second, %d ticks later: %x", c.rate, c.states, c.old, head)
		}
	}
}
