package served

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/sight"
)

// Rule: a whole state that is none ends the match of its client, with what is wrong.
func TestAWholeStateThatIsNone(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	n := f.server.Frame() + 9
	for _, m := range [][]byte{appendState(nil, n, 2), {messageChunk, 1, 2}} {
		if err := f.server.clients.of[p].pipe.Channel.Send(m); err != nil {
			t.Fatal(err)
		}
	}
	f.run(100 * time.Millisecond)
	var wrong *sight.DataError
	if !errors.As(f.other.Err(), &wrong) || wrong.State != n {
		t.Errorf("it plays on: %v", f.other.Err())
	}
	f.unharmed()
}

// Rule: a tick that was told, and that was predicted as it is, is agreed at once: it waits for no tick of the client.
func TestWhatIsToldIsAgreedAtOnce(t *testing.T) {
	f := newFixture(t)
	agreed := f.other.clientMatch.newest
	f.other.hooks.Agreed = func(a *rollback.Agreed[uint16]) { agreed = a.Frame + 1 }
	behind := 0
	for range 200 {
		if f.run(time.Millisecond); agreed != f.other.clientMatch.newest {
			behind++
		}
	}
	if behind > 0 {
		t.Errorf("in %d of 200 milliseconds what is known is not agreed", behind)
	}
}

// Rule: a client whose server was started again is bounded as one that has just been made: it takes as many ticks of
// updates at once, lags as far behind what it learns, and knows of no state that it was told in the match before.
func TestForgettingAMatchKeepsTheBounds(t *testing.T) {
	f := newFixture(t)
	f.run(100 * time.Millisecond)
	k := &f.other.clientMatch
	was := *k
	if was.updates.most == 0 || was.maxLag == 0 || !k.holds(was.newest) || k.told[was.newest%Frame(len(k.told))] == 0 {
		t.Fatalf("it has no bounds, or nothing was told: %+v", was.updates)
	}
	k.forget()
	if k.updates.most != was.updates.most || k.maxLag != was.maxLag || len(k.told) != len(was.told) {
		t.Errorf("updates may cost %d ticks, %d before; a lag of %d, %d before; of %d states it is known whether they were told, %d before",
			k.updates.most, was.updates.most, k.maxLag, was.maxLag, len(k.told), len(was.told))
	}
	for f, n := range k.told {
		if n != 0 {
			t.Errorf("state %d of the match before counts as told, at %d", n-1, f)
		}
	}
}
