package rollback

import (
	"errors"
	"testing"
)

func check[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// Rule: a ring holds its rows from base on, except for one, which is that of the frame before; a frame ahead gets the row
// of an old one, without its marks and orders.
func TestARowIsReusedForAFrameAhead(t *testing.T) {
	r := newRing[int32](8, 2, 100)
	r.reset(3)
	for f, held := range map[Frame]bool{2: false, 3: true, 9: true, 10: false, NoFrame: false} {
		check(t, "held", r.holds(f), held)
	}
	r.set(1, 3, 7, []byte("go"))
	r.mark(3, r.row(3).with(1).supposing(0))
	check(t, "input", *r.input(1, 3), 7)
	check(t, "orders", string(r.ordersOf(1, 3)), "go")
	check(t, "orders of the other player", len(r.ordersOf(0, 3)), 0)
	r.set(0, 4, 5, make([]byte, keptOrders+1))
	r.advance(5)
	for f, held := range map[Frame]bool{4: false, 5: true, 11: true, 12: false} {
		check(t, "held later", r.holds(f), held)
	}
	check(t, "marks", r.row(11), 0)
	check(t, "orders", len(r.ordersOf(1, 11)), 0)
	r.advance(6)
	check(t, "large orders are kept", r.ordersOf(0, 12) != nil, false)
}

// Rule: marks of a row do not touch each other.
func TestMarksOfARow(t *testing.T) {
	var r row
	for p := range Player(MaxPlayers) {
		r = r.without(p).supposing(p)
	}
	r = r.open(3).settled(5)
	check(t, "early", r.early(), everyone(16)&^SetOf(3))
	check(t, "gone", r.gone(), everyone(16)&^SetOf(3))
	check(t, "supposed", r.supposed(), everyone(16)&^SetOf(5))
}

// Rule: the outdated frames are those from the first to the last; once they are taken, there are none.
func TestOutdatedFrames(t *testing.T) {
	o := upToDate
	for _, f := range []Frame{7, 4, 9, 5} {
		o.add(f)
	}
	first, last := o.take()
	check(t, "first", first, 4)
	check(t, "last", last, 9)
	o.add(2)
	check(t, "again", o, outdated{2, 2})
}

// Rule: frames run a history beyond what is agreed, or read if there is a stream; without peers as far as they like,
// and not at all once the match has failed.
func TestHowFarFramesRun(t *testing.T) {
	for _, c := range []struct {
		what       string
		a          agreement
		agree, end Frame
	}{
		{"peers", agreement{history: 10}, 16, 17},
		{"alone", agreement{history: 10, alone: true}, lastFrame, lastFrame},
		{"stream", agreement{history: 10, stream: true}, 10, 11},
		{"alone with a stream", agreement{history: 10, stream: true, alone: true}, 10, 11},
	} {
		a := c.a
		a.reset(0)
		if err := a.agree(6, 0, 8); err != nil {
			t.Fatal(err)
		}
		check(t, c.what, a.limit, c.agree)
		if a.agree(5, 6, 8) == nil || a.agree(9, 6, 8) == nil {
			t.Errorf("%s: counts that are too small or too large are agreed", c.what)
		}
		a.readNext()
		if err := a.agree(7, 6, 8); err != nil {
			t.Fatal(err)
		}
		check(t, c.what+" later", a.limit, c.end)
		a.settle(20, false)
		check(t, c.what+": read", a.read, 1)
		a.settle(20, true)
		check(t, c.what+": skipped", a.read, 20)
		a.fail(ErrFrames)
		a.fail(ErrNotHeld)
		check(t, c.what+" failed", a.limit, 0)
		check(t, c.what+": the first error", a.failure, ErrFrames)
		a.reset(3)
		check(t, c.what+" again", a.limit > 0, true)
	}
}

// Rule: the first call of a frame that is judged ends the match. A call that a frame takes back does not count, and
// none of later frames.
func TestTheFirstCallEndsTheMatch(t *testing.T) {
	e := newEnding(8)
	e.reset(100)
	e.call(103, 1)
	e.call(105, 2)
	e.pass(103)
	if _, over := e.first(105); over {
		t.Error("a call that was taken back counts")
	}
	if o, over := e.first(106); !over || o != (Outcome{105, 2}) {
		t.Errorf("%v, %v", o, over)
	}
	e.judge(105)
	check(t, "open", e.open, true)
	check(t, "over", e.over, false)
	e.judge(110)
	check(t, "open", e.open, false)
	check(t, "outcome", e.outcome, Outcome{105, 2})
	e.call(111, 3)
	check(t, "open after the end", e.open, false)

	// Of a call more than a ring ago nothing is left, and frames that long ago are not searched one by one.
	e.reset(0)
	e.call(1<<30, 4)
	o, over := e.first(1<<30 + 1)
	check(t, "late", o, Outcome{1 << 30, 4})
	check(t, "late", over, true)
	if _, over := e.called(1<<30 - 8); over {
		t.Error("the frame of another round has called")
	}
}

// Rule: the hash of a state is there until it is dropped or its place is needed.
func TestSums(t *testing.T) {
	s := make(sums, 4)
	s.reset()
	s.put(5, 50)
	s.put(6, 60)
	s.drop(6)
	s.put(9, 90)
	for f, want := range map[Frame]uint64{1: 0, 5: 0, 6: 0, 9: 90} {
		got, ok := s.get(f)
		check(t, "there", ok, want != 0)
		if ok {
			check(t, "hash", got, want)
		}
	}
	if _, ok := sums(nil).get(0); ok {
		t.Error("no sums have one")
	}
	sums(nil).drop(3)
}

// Rule: a count of known frames is that of the player who is behind, whatever changes it.
func TestTheKnownFramesAreCounted(t *testing.T) {
	n := newInputs[int32](&Config{Players: 3, Local: SetOf(0), History: MinHistory}, nil)
	n.reset(10)
	count := func(what string, want Frame) {
		t.Helper()
		check(t, what, n.known, want)
		n.count()
		check(t, what+", counted anew", n.known, want)
	}
	add := func(p Player, f Frame) {
		t.Helper()
		if err := n.add(p, f, 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	n.follow(0, 1)
	n.follow(0, 1)
	count("one player", 10)
	add(1, 11)
	add(1, 10)
	count("two players", 10)
	add(2, 10)
	count("all", 11)
	if err := n.disconnect(2, 11); err != nil {
		t.Fatal(err)
	}
	count("without a player", 12)
	if err := n.connect(2, 12, 10); err != nil {
		t.Fatal(err)
	}
	n.follow(0, 1)
	add(1, 12)
	count("it is back", 12)
	check(t, "missing", n.settleBelow(13), true)
	count("settled", 13)
	for p := range Player(3) {
		if err := n.disconnect(p, 13); err != nil {
			t.Fatal(err)
		}
	}
	count("nobody", NoFrame)
	check(t, "cut", n.away.lastCut(0, 3), 13)
}

// Rule: a sample is owed once for each frame in which the player is present, and takes effect after its delay; a
// longer delay waits for an input that does not change.
func TestSamplesOwed(t *testing.T) {
	cfg := Config{Players: 2, Local: SetOf(0), History: MinHistory}
	n, m := newInputs[int32](&cfg, nil), newSampling[int32](&cfg)
	n.reset(0)
	next := func(in int32, want Frame) {
		t.Helper()
		m.next(n.absent())
		if err := m.add(&n, 0, in, nil); err != nil {
			t.Fatal(err)
		}
		if err := m.add(&n, 0, in, nil); !errors.Is(err, ErrSampled) {
			t.Fatal(err)
		}
		n.advance()
		check(t, "next", n.next[0], want)
	}
	next(1, 1)
	if err := m.setDelay(0, 2); err != nil {
		t.Fatal(err)
	}
	next(2, 2) // a change: the old delay stays
	next(2, 5)
	m.next(n.absent())
	asked, actual := m.delayOf(0, n.frame, n.next[0])
	check(t, "asked", asked, 2)
	check(t, "actual", actual, 2)
	m.next(SetOf(0))
	if err := m.add(&n, 0, 1, nil); err == nil {
		t.Error("an absent player is sampled")
	}
	m.ask(1)
	check(t, "owed", m.owed, 0)
	m.ask(0)
	m.excuse(1)
	check(t, "owed", m.owed, SetOf(0))
}

// Rule: without a journal a log of effects says nothing, and events that were missed are read first.
func TestAnEffectLogWithoutAJournal(t *testing.T) {
	var l effectLog
	l.begin(0)
	l.agree()
	check(t, "fresh", l.fresh || l.unread(1<<20, 1) || l.err() != nil || l.emitter() != nil || l.finish() != nil, false)
	check(t, "digest", l.digest(0), 0)
	check(t, "dropped", l.dropped(), 0)
}

// Rule: steps take note of the newest result of a frame, and of the first failure.
func TestStepsTakeNote(t *testing.T) {
	cfg := Config{Players: 1, History: MinHistory, Snapshots: 2}
	n := newInputs[int32](&cfg, nil)
	s, err := newSteps(&n, nil, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	s.reset(0, nil)
	check(t, "careful", s.careful, false)
	s.prepare(4)
	check(t, "frame", s.tick.Frame(), 4)
	s.tick.Finish(9)
	s.note(4)
	check(t, "said", s.said(4), StepReport{Finished: true, Result: 9})
	check(t, "careful", s.careful, true)
	s.prepare(4)
	s.note(4)
	check(t, "said", s.said(4), StepReport{})
	first := errors.New("first")
	s.fail(first)
	s.fail(errors.New("second"))
	check(t, "error", s.error(4), first)
}
