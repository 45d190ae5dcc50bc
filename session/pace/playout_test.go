package pace

import (
	"testing"
	"time"
)

// Rule: with more frames in hand than wanted a spectator runs up to 5 % faster, with fewer up to
// 5 % slower; from far behind it runs several in the time of one, each in a period of its own. A few more or
// less change nothing.
func TestThePaceOfAPlayout(t *testing.T) {
	for _, c := range []struct {
		excess, catchUp int
		want            time.Duration
	}{
		{0, 8, nominal},
		{4, 8, nominal},
		{5, 8, nominal * 95 / 100},
		{-4, 8, nominal},
		{-5, 8, nominal * 105 / 100},
		{-50, 8, nominal * 105 / 100},
		{25, 8, nominal * 95 / 100},
		{26, 8, nominal / 4},
		{47, 8, nominal / 6},
		{48, 8, nominal / 7},
		{100, 8, nominal / 8},
		{100, 20, nominal / 13},
		{100, 2, nominal / 2},
		{100, 1, nominal * 95 / 100},
	} {
		var p Playout
		p.Init(nominal, 100, c.catchUp)
		if period := p.Pace(100 + c.excess); period != c.want {
			t.Errorf("%d more than wanted, at most %d at a time: a frame is shown for %v, want %v", c.excess, c.catchUp, period, c.want)
		}
	}
}

// Rule: the tolerance, and the limit above which it hurries, are the same time at every tick rate, as far as
// whole frames allow.
func TestAPlayoutIsAsPatientAtEachRate(t *testing.T) {
	for rate, want := range map[int][2]int{1: {1, 8}, 20: {2, 10}, 60: {4, 30}, 240: {16, 120}, 1000: {66, 500}} {
		var p Playout
		p.Init(time.Second/time.Duration(rate), 1, 8)
		p.Begin(0)
		if got := [2]int{p.steady, p.hurry}; got != want {
			t.Errorf("at %d Hz: %v frames, want %v", rate, got, want)
		}
	}
}

// Rule: after each break half as many frames more are wanted, up to two seconds, and no more than there is
// room for. A match begins with the frames of the buffer.
func TestHowManyFramesAreWanted(t *testing.T) {
	var p Playout
	p.Init(nominal, 30, 8)
	p.Begin(time.Second)
	for i, want := range []int{30, 45, 67, 100, 100} {
		if p.Wanted() != want || p.Breaks != uint64(i) {
			t.Errorf("after %d breaks %d are wanted, want %d", p.Breaks, p.Wanted(), want)
		}
		p.Break(time.Second)
	}
	if p.Full(40); p.Wanted() != 40 {
		t.Errorf("%d are wanted, and 40 fit", p.Wanted())
	}
	if p.Begin(2 * time.Second); p.Wanted() != 30 || p.Breaks != 0 {
		t.Errorf("a match begins with %d, after %d breaks", p.Wanted(), p.Breaks)
	}
	if p.Full(500); p.Wanted() != 30 {
		t.Errorf("%d are wanted, since 500 fit", p.Wanted())
	}
	p.Init(nominal, 300, 8)
	p.Begin(0)
	if p.Break(0); p.Wanted() != 300 {
		t.Errorf("%d are wanted of a buffer of more than two seconds", p.Wanted())
	}
}

// Rule: it waits until it is told to run, and reports that from half a second on; after a break it waits
// again.
func TestAPlayoutWaitsForFrames(t *testing.T) {
	const ms = time.Millisecond
	var p Playout
	p.Init(nominal, 30, 8)
	p.SetNext(59 * time.Second)
	p.Begin(time.Minute)
	if p.Running() || p.Next() != 59*time.Second {
		t.Errorf("a match begins: running %v, at %v", p.Running(), p.Next())
	}
	for round := range 2 {
		for i, c := range []struct {
			after time.Duration
			tell  bool
		}{{0, false}, {499 * ms, false}, {500 * ms, true}, {501 * ms, false}, {1500 * ms, true}} {
			if waited, tell := p.Wait(time.Minute + c.after); waited != c.after || tell != c.tell || p.Empty != uint64(5*round+i+1) {
				t.Errorf("after %v it has waited for %v in %d periods, and tells: %v", c.after, waited, p.Empty, tell)
			}
		}
		if waited, told := p.Run(time.Minute + 2*time.Second); waited != 2*time.Second || !told || !p.Running() {
			t.Errorf("it has waited for %v, told %v, running %v", waited, told, p.Running())
		}
		p.Break(time.Minute)
	}
	if waited, told := p.Run(time.Minute); waited != 0 || told {
		t.Errorf("it has waited for %v, told: %v", waited, told)
	}
	if p.Stop(); p.Running() {
		t.Error("it runs after the end")
	}
}

// Rule: the present is reached once per match, when no more frames are missing than are wanted and are
// caught up on in a hurry.
func TestThePresentIsReachedOnce(t *testing.T) {
	var p Playout
	p.Init(nominal, 10, 8)
	for range 2 {
		p.Begin(0)
		for _, c := range []struct {
			behind int64
			want   bool
		}{{36, false}, {35, true}, {35, false}, {100, false}, {-5, false}} {
			if p.Reaches(c.behind) != c.want {
				t.Errorf("%d frames behind: %v", c.behind, !c.want)
			}
		}
	}
}
