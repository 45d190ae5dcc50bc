package stream

import (
	"errors"
	"slices"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// folded is a chain of a number of states whose hashes are their numbers, except for one.
func folded(every, states, other rollback.Frame) *Chain {
	c := new(Chain)
	c.Begin(every)
	for f := rollback.Frame(1); f <= states; f++ {
		hash := uint64(f)
		if f == other {
			hash++
		}
		c.fold(f, hash)
		c.Point(f)
	}
	return c
}

// receive passes a chain everything that another one sends.
func receive(t *testing.T, c *Chain, told *PeerChain, every, states, other rollback.Frame) {
	t.Helper()
	for f := told.newest + every; f <= states; f += every {
		if err := c.Receive(told, f, folded(every, f, other).Value(), rollback.NoFrame); err != nil {
			t.Fatal(err)
		}
	}
}

// compare takes all verdicts.
func compare(c *Chain, told *PeerChain) (list []Verdict) {
	for v, ok := c.Compare(told); ok; v, ok = c.Compare(told) {
		list = append(list, v)
	}
	return list
}

// Rule: values are compared at each interval, whichever peer is ahead; from the first
// state that differs, all later ones differ, too, and both checksums are reported.
func TestChainsDifferFromTheFirstStateThatDoes(t *testing.T) {
	const every, states = 20, 100
	for _, other := range []rollback.Frame{0, 1, 20, 21, 60, 100} {
		for _, ours := range []rollback.Frame{0, 30, states} {
			c, told := folded(every, ours, 0), PeerChain{}
			receive(t, c, &told, every, states, other)
			list := compare(c, &told)
			for f := ours + 1; f <= states; f++ {
				c.fold(f, uint64(f))
				c.Point(f)
				list = append(list, compare(c, &told)...)
			}
			if len(list) != states/every || told.Waiting() != 0 || told.newest != states {
				t.Fatalf("%d verdicts, %d wait", len(list), told.Waiting())
			}
			for i, v := range list {
				f := every * rollback.Frame(i+1)
				want := Verdict{f, other == 0 || f < other, folded(every, f, 0).Value(), folded(every, f, other).Value()}
				if v != want || v.Same != (v.Ours == v.Theirs) {
					t.Errorf("state %d differs: %+v, want %+v", other, v, want)
				}
			}
		}
	}
}

// Rule: each interval is sent to a peer once, in order, none later than it can know, and
// not more than are kept.
func TestWhatAPeerMayTellOfItsChain(t *testing.T) {
	c, told := folded(20, 0, 0), PeerChain{}
	for _, f := range []rollback.Frame{0, 19, 21, 40, rollback.NoFrame} {
		if err := c.Receive(&told, f, 1, 100); !errors.Is(err, datagram.ErrRange) {
			t.Errorf("frame %d: %v", f, err)
		}
	}
	if err := c.Receive(&told, 20, 1, 19); !errors.Is(err, datagram.ErrRange) {
		t.Errorf("a frame that it cannot know: %v", err)
	}
	if err := c.Receive(&told, 20, 1, 20); err != nil {
		t.Error(err)
	}
	if err := c.Receive(&told, 20, 1, 20); !errors.Is(err, datagram.ErrRange) {
		t.Errorf("twice: %v", err)
	}
	for told.Waiting() < Kept {
		if err := c.Receive(&told, told.newest+20, 1, rollback.NoFrame); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Receive(&told, told.newest+20, 1, rollback.NoFrame); !errors.Is(err, datagram.ErrRange) || cap(told.waiting) > 2*Kept {
		t.Errorf("one too many: %v, in room for %d", err, cap(told.waiting))
	}
	if told.Waiting() != 256 {
		t.Errorf("%d values wait", told.Waiting())
	}
	late := ToldFrom(60)
	if err := c.Receive(&late, 80, 1, rollback.NoFrame); err != nil || late.Equal() != 60 {
		t.Errorf("from a frame on: %v, equal up to %d", err, late.Equal())
	}
}

// Rule: a peer counts as compared once one of its values was found equal, and is verified
// up to the newest of those.
func TestWhatIsKnownOfAPeer(t *testing.T) {
	var told PeerChain
	if told.Compared() || told.Equal() != 0 {
		t.Errorf("at first: compared %v, the same up to %d", told.Compared(), told.Equal())
	}
	for _, f := range []rollback.Frame{20, 40} {
		if told.Note(Verdict{Frame: f, Same: true}); !told.Compared() || told.Equal() != f {
			t.Errorf("at %d: compared %v, the same up to %d", f, told.Compared(), told.Equal())
		}
	}
}

// Rule: values that are no longer kept are not compared, and do not wait.
func TestOldPointsAreNotJudged(t *testing.T) {
	const states = 3 * Kept
	c, told := folded(1, states, 0), PeerChain{}
	for told.Waiting() < Kept {
		if err := c.Receive(&told, told.newest+1, 1, states); err != nil {
			t.Fatal(err)
		}
	}
	if list := compare(c, &told); len(list) != 0 || told.Waiting() != 0 {
		t.Errorf("%d verdicts on the first %d of %d states, %d wait", len(list), Kept, states, told.Waiting())
	}
	receive(t, c, &told, 1, Kept+100, 0)
	compare(c, &told)
	told = ToldFrom(states - Kept)
	receive(t, c, &told, 1, states, 0)
	if list := compare(c, &told); len(list) != Kept || slices.ContainsFunc(list, func(v Verdict) bool { return !v.Same }) {
		t.Errorf("%d verdicts on the last %d", len(list), Kept)
	}
}

// Rule: a match is healthy once all peers were equal; a desync stays, and is reported
// once.
func TestHealth(t *testing.T) {
	var c Chain
	c.Begin(20)
	if c.Health() != Unverified {
		t.Errorf("at first it is %v", c.Health())
	}
	if c.Confirm(); c.Health() != Healthy {
		t.Errorf("confirmed it is %v", c.Health())
	}
	if !c.Differ() || c.Differ() || c.Health() != Desynced {
		t.Errorf("it is %v", c.Health())
	}
	if c.Confirm(); c.Health() != Desynced {
		t.Errorf("a desync became %v", c.Health())
	}
	if c.Begin(20); c.Health() != Unverified {
		t.Errorf("of the next match it is %v", c.Health())
	}
	for h, want := range map[Health]string{Unverified: "unverified", Desynced: "desynced", Desynced + 1: "unknown", 77: "unknown"} {
		if h.String() != want {
			t.Errorf("%d is called %s, want %s", h, h, want)
		}
	}
}

// Rule: a chain that does not reach back to the beginning has no value until it is given
// one; a hash is that of the newest state alone.
func TestAChainThatIsLost(t *testing.T) {
	c := folded(20, 50, 0)
	if c.HashAt(50) != 50 || c.HashAt(49) != 0 || c.Hashed() != 50 {
		t.Errorf("the hash of state 50 is %d, of 49 %d", c.HashAt(50), c.HashAt(49))
	}
	c.Lose()
	c.fold(60, 60)
	if _, due := c.Point(60); due || c.Known() {
		t.Error("it has a value to tell")
	}
	c.Resume(7)
	if v, due := c.Point(60); !due || v != 7 || !c.Known() {
		t.Errorf("it tells %d: %v", v, due)
	}
	if _, due := c.Point(61); due {
		t.Error("it tells a value between two intervals")
	}
	var none Chain
	none.Begin(20)
	if _, due := none.Point(20); due {
		t.Error("it tells a value without any hash")
	}
}

// Rule: two ends of a match differ if their lengths, their chains or their last states do.
func TestSummariesAreCompared(t *testing.T) {
	ours := Summary{Frames: 100, Hash: 5, Chain: 6, Resimulated: 9, Health: Desynced}
	for _, c := range []struct {
		theirs Summary
		want   Verdict
	}{
		{ours, Verdict{100, true, 5, 5}},
		{Summary{Frames: 100, Hash: 5, Chain: 6, Resimulated: 1}, Verdict{100, true, 5, 5}},
		{Summary{Frames: 90, Hash: 5, Chain: 6}, Verdict{90, false, 5, 5}},
		{Summary{Frames: 110, Hash: 7, Chain: 6}, Verdict{100, false, 5, 7}},
		{Summary{Frames: 100, Hash: 7, Chain: 6}, Verdict{100, false, 5, 7}},
		{Summary{Frames: 100, Hash: 5, Chain: 8}, Verdict{100, false, 6, 8}},
	} {
		if got := ours.Compare(&c.theirs); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.theirs, got, c.want)
		}
		b := c.theirs.Append([]byte("x"))
		if back, err := ConsumeSummary(b[1:]); err != nil || back != c.theirs {
			t.Errorf("%+v came back as %+v: %v", c.theirs, back, err)
		}
		for n := range len(b) + 1 {
			if _, err := ConsumeSummary(append(b, 0)[:n]); !errors.Is(err, datagram.ErrShort) && n != summarySize {
				t.Errorf("%d bytes: %v", n, err)
			}
		}
	}
	sick := ours
	sick.Health = Desynced + 1
	if _, err := ConsumeSummary(sick.Append(nil)); !errors.Is(err, datagram.ErrRange) {
		t.Errorf("another health: %v", err)
	}
	proud := ours
	for says, want := range map[uint64]uint64{1<<48 - 1: 1<<48 - 1, 1 << 48: 1 << 48, 1<<48 + 1: 1 << 48, 1 << 60: 1 << 48} {
		proud.Resimulated = says
		if s, err := ConsumeSummary(proud.Append(nil)); err != nil || s.Resimulated != want {
			t.Errorf("%d frames simulated again: %+v, %v", says, s, err)
		}
	}
}

// Rule: the values of as many intervals are kept as a peer may be behind, in as much room as that takes; a peer that is
// not behind takes none.
func TestHowManyValuesAreKept(t *testing.T) {
	for _, c := range []struct{ behind, room int }{{1, firstKept}, {firstKept - 1, firstKept}, {firstKept, firstKept}, {firstKept + 1, 2 * firstKept}, {Kept, Kept}} {
		const every = 3
		ours, theirs, told := new(Chain), new(Chain), PeerChain{}
		ours.Begin(every)
		theirs.Begin(every)
		seen := 0
		for i := range 3 * Kept {
			for f := rollback.Frame(every*i + 1); f <= rollback.Frame(every*(i+1)); f++ {
				ours.fold(f, uint64(f))
				ours.Point(f)
			}
			if i+1 < c.behind {
				continue
			}
			for f := rollback.Frame(every*seen + 1); f <= rollback.Frame(every*(seen+1)); f++ {
				theirs.fold(f, uint64(f))
			}
			seen++
			if err := ours.Receive(&told, rollback.Frame(every*seen), theirs.Value(), rollback.NoFrame); err != nil {
				t.Fatal(err)
			}
			v, ok := ours.Compare(&told)
			if !ok || !v.Same || v.Frame != rollback.Frame(every*seen) {
				t.Fatalf("%d behind: state %d: %+v, %v", c.behind, every*seen, v, ok)
			}
			told.Note(v)
			ours.Verified(told.Equal())
		}
		if len(ours.points) != c.room {
			t.Errorf("%d behind: there is room for %d", c.behind, len(ours.points))
		}
	}
}
