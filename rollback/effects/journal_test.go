package effects

import (
	"slices"
	"strings"
	"testing"
)

// wantErr checks the journal's error.
func wantErr(t *testing.T, j *Journal, text string) {
	t.Helper()
	if err := j.Err(); err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("the error is %v, without %q", err, text)
	}
}

func TestAnUndeclaredKindIsNamedAndLeftOut(t *testing.T) {
	j := newJournal(t, Config{})
	j.Begin(0)
	OneShot[uint8](77, "bang").Emit(j.Emitter(), 1, 1)
	hit.OnlyConfirmed().Emit(j.Emitter(), 1, 1) // another kind than hit
	hit.Emit(j.Emitter(), 2, 0)
	wantErr(t, j, `kind 77, "bang", was emitted but is not declared`)
	if got := texts(j.Flush(0, 0)); !slices.Equal(got, []string{"started hit 2 at 0"}) {
		t.Errorf("got %q", got)
	}
	wantErr(t, j, "bang") // it stays
	j.Reset(0)
	if err := j.Err(); err != nil {
		t.Errorf("after a reset: %v", err)
	}
}

func TestAnEmissionOutsideOfAStepIsAnError(t *testing.T) {
	j := newJournal(t, Config{})
	j.Begin(0)
	j.Flush(0, 0)
	hit.Emit(j.Emitter(), 1, 0)
	wantErr(t, j, `"hit", was emitted outside of a step`)
	if got := j.Flush(0, 0); len(got) != 0 {
		t.Errorf("got %q", texts(got))
	}
}

func TestFramesOutOfOrderAreRefused(t *testing.T) {
	for want, begin := range map[string]func(*Journal){
		"frame 5 was begun, not one of 2 to 4": func(j *Journal) { j.Begin(5) },
		"frame 1 was begun, not one of 2 to 4": func(j *Journal) { j.Begin(1) },
		"raise History": func(j *Journal) {
			for f := Frame(4); f < 11; f++ {
				j.Begin(f)
			}
		},
	} {
		j := newJournal(t, Config{History: 8})
		for f := range Frame(4) {
			j.Begin(f)
		}
		j.Flush(2, 2)
		if begin(j); j.emitter.at != NoFrame {
			t.Error("its emissions would be taken")
		}
		wantErr(t, j, want)
	}
}

// Exactly History frames may be undecided, whatever the size of the ring.
func TestHistoryIsAsLongAsItSays(t *testing.T) {
	for _, history := range []int{1, 2, 7, 8, 9, 100} {
		j := newJournal(t, Config{History: history})
		f := Frame(0)
		for ; f < 1000; f++ {
			j.Begin(f)
			j.Flush(0, max(f+1, Frame(history))-Frame(history)+1)
		}
		if err := j.Err(); err != nil {
			t.Errorf("history %d: %v", history, err)
		}
		j.Begin(f)
		j.Begin(f + 1)
		if j.Err() == nil {
			t.Errorf("history %d: one more was taken", history)
		}
	}
}

func TestEmissionsBeyondTheLimitAreCounted(t *testing.T) {
	j := newJournal(t, Config{MaxPerFrame: 2})
	for range 2 {
		j.Begin(0)
		emit(t, j.Emitter(), "hit 1, hit 2, hit 3, hum 1, hit 2 5")
	}
	if got := texts(j.Flush(0, 0)); !slices.Equal(got, []string{"started hit 1 at 0", "started hit 2 at 0 [05]"}) {
		t.Errorf("got %q", got)
	}
	if got := j.Dropped(); got != 4 {
		t.Errorf("%d were dropped, want 4", got)
	}
}

// The number of waiting effects is bounded: effects beyond it end at once.
func TestWaitingIsBounded(t *testing.T) {
	j := newJournal(t, Config{MaxPerFrame: 1, Tolerance: 1})
	cancelled := map[What]int{}
	for f := range Frame(2) { // the newest frame stays within everyone's tolerance
		j.Begin(f)
	}
	for key := range uint32(10) {
		j.Begin(1)
		k := []Kind[uint8]{hit, hum}[key%2]
		k.Emit(j.Emitter(), key, 0)
		for _, ev := range j.Flush(0, 0) {
			cancelled[ev.What]++
		}
	}
	if len(j.orphans) != 2 || len(j.sounds) != 3 || cancelled[Started] != 10 || cancelled[Cancelled] != 5 {
		t.Errorf("%d orphans and %d sounds wait, events %v", len(j.orphans), len(j.sounds), cancelled)
	}
}

// A digest is of kinds, keys, payloads and their order.
func TestTheDigestTellsResimulationsApart(t *testing.T) {
	j := newJournal(t, Config{})
	digest := func(emissions string) uint64 {
		j.Begin(0)
		emit(t, j.Emitter(), emissions)
		return j.Digest(0)
	}
	seen := map[uint64]string{}
	for _, e := range []string{"", "hit 0", "hit 1", "hit 1 5", "hum 1", "hit 1, hit 2", "hit 2, hit 1", "hit 0, hit 0 1"} {
		if other, ok := seen[digest(e)]; ok {
			t.Errorf("%q and %q have one digest", e, other)
		}
		seen[digest(e)] = e
	}
	if first := digest("hit 1, hum 2"); first != digest("hit 1, hum 2") || digest("hit 1 3, hit 1 5") != digest("hit 1 5") {
		t.Error("the same emissions have two digests")
	}
	if digest("hit 1"); j.Digest(1) != 0 || j.Digest(NoFrame) != 0 {
		t.Error("a frame that was not simulated has a digest")
	}
}

// Frozen: peers on any two machines can compare digests.
func TestFrozenDigest(t *testing.T) {
	j := newJournal(t, Config{})
	j.Begin(0)
	emit(t, j.Emitter(), "hit 1 2, hum 3 4")
	if got, want := j.Digest(0), uint64(0xb519ee9f45f6a63d); got != want {
		t.Errorf("the digest is %#x, not %#x", got, want)
	}
}

func TestResetForgetsEverything(t *testing.T) {
	s := play(t, 4).next("hit 1, hum 1, hit 2").know(0, 0).
		sees("started hit 1 at 0", "started hit 2 at 0", "started hum 1 at 0").
		again(0, "hit 2").sees()
	s.j.Reset(0)
	s.sees().next("", "hit 1").sees("started hit 1 at 1").know(2, 2).sees("confirmed hit 1 at 1")
}

// A late joiner begins anywhere; the journal does not look at frames
// before the start.
func TestAMatchMayStartAtAnyFrame(t *testing.T) {
	for _, start := range []Frame{0, 1, 1 << 31, NoFrame - 100} {
		s := play(t, 2).next("hit 1", "hum 1").know(1, 0).sees("started hit 1 at 0 late 1", "started hum 1 at 1")
		s.j.Reset(start)
		s.know(start, start).sees()
		if s.j.frames.used != 0 {
			t.Error("lists are left")
		}
		s.next("hum 1", "hum 1, hit 2")
		s.again(start, "hum 1")
		events := s.j.Flush(start+1, start+1)
		want := []struct {
			w    What
			k    uint8
			f    Frame
			late uint32
		}{{Started, 1, start + 1, 0}, {Started, 2, start, 1}, {Confirmed, 2, start, 0}}
		for i, ev := range events {
			if i >= len(want) || ev.What != want[i].w || ev.Kind != want[i].k || ev.Frame != want[i].f || ev.Late != want[i].late {
				t.Errorf("start %d: event %d is %v", start, i, &ev)
			}
		}
		if len(events) != len(want) || s.j.Err() != nil {
			t.Errorf("start %d: %v, %v", start, texts(events), s.j.Err())
		}
	}
}
