package served

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/sight"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: an invalid whole state ends the match of its client, with an error that says what is wrong.
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

// Rule: a received tick that equals the prediction is agreed at once: it does not wait for a tick of the client.
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

// Rule: a client whose server was started again has the limits of a new one: it takes as many ticks of updates at
// once, lags as far behind what it learns, and knows no state of the previous match.
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

// Rule: the engine of a client that lags falls behind the ticks that arrive by less than half of its history; then it
// runs one tick for each that arrives, so that the engine accepts all of them.
func TestAnEngineStaysNearWhatIsTold(t *testing.T) {
	f := newFixture(t)
	k, most := &f.other.clientMatch, Frame(0)
	k.lags = true
	for n := range Frame(1000) {
		told := k.newest + n
		if err := k.addTick(told, &sight.Tick[uint16]{Inputs: make([]uint16, 3), Told: 7}); err != nil {
			t.Fatalf("tick %d, with the engine at %d: %v", told, k.engine.Frame(), err)
		}
		k.agree()
		most = max(most, told-min(told, k.engine.Frame()))
	}
	if most != rollback.DefaultHistory/2-1 {
		t.Errorf("the engine was up to %d ticks behind", most)
	}
}

// Rule: a datagram that more than 48 others have overtaken is ignored, even if it is invalid: its tick numbers would be
// ambiguous.
func TestADatagramOfLongAgoIsNotRead(t *testing.T) {
	f := newFixture(t)
	c := f.other
	c.server.pipe.Overtaken = 49
	if c.receiveFrom([]byte{0xFF}); c.Phase() != session.Playing {
		t.Errorf("what is in it was read: %v", c.Err())
	}
	c.server.pipe.Overtaken = 48
	if c.receiveFrom([]byte{0xFF}); c.Phase() != session.Over || !errors.Is(c.Err(), datagram.ErrShort) {
		t.Errorf("%v, %v", c.Phase(), c.Err())
	}
}

// Rule: a whole state that is no newer than what a client knows is no news, and changes nothing.
func TestAWholeStateThatIsKnownAlready(t *testing.T) {
	f := newFixture(t)
	k := &f.other.clientMatch
	k.anew = true
	f.server.Step(f.now) // it has one more state than the client
	whole := f.server.updater.world.whole(nil, k.player)
	for back := range Frame(3) {
		before, counts := k.newest, k.counts
		if news, err := k.whole(before-back, whole); news || err != nil || k.newest != before || k.counts != counts || !k.anew {
			t.Errorf("%d ticks old: news %v, %v; state %d is known, and %d was", back, news, err, k.newest, before)
		}
	}
	if news, err := k.whole(f.server.Frame(), whole); !news || err != nil || k.anew {
		t.Errorf("a newer one: news %v, %v", news, err)
	}
}
