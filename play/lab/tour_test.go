package lab_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/lab"
)

func toFrame(f uint32) tickback.Frame { return tickback.Frame(f) }

func scripted(t *testing.T, s lab.Settings, pictures int) *lab.Lab {
	t.Helper()
	l, err := lab.New(1, s, [2]lab.Player{lab.Scripted, lab.Scripted})
	if err != nil {
		t.Fatal(err)
	}
	play(t, l, pictures)
	return l
}

// A scripted player repeats itself every 60 frames, and the second one half a cycle later.
func TestTheScriptIsACycle(t *testing.T) {
	seen := map[duel.Input]bool{}
	for f := range uint32(lab.Cycle) {
		in := lab.Scripted(0, toFrame(f), nil)
		seen[in] = true
		if again := lab.Scripted(0, toFrame(f+5*lab.Cycle), nil); again != in {
			t.Errorf("frame %d: %b, five cycles later %b", f, in, again)
		}
		other := lab.Scripted(1, toFrame(f+lab.Cycle/2), nil)
		if (other^in)&^(duel.Left|duel.Right) != 0 || in&duel.Left != 0 != (other&duel.Right != 0) {
			t.Errorf("frame %d: %b, and mirrored %b", f, in, other)
		}
	}
	if len(seen) < 5 {
		t.Errorf("the script has %d inputs", len(seen))
	}
}

// Each preset of the tour shows what its text says.
func TestTheTourShowsWhatItSays(t *testing.T) {
	run := func(i int) (first, second lab.Counts) {
		l := scripted(t, lab.Tour[i].Settings, 600)
		return l.Peers()[0].Counts(), l.Peers()[1].Counts()
	}
	lan, _ := run(0)
	hundred, _ := run(1)
	jitter, _ := run(2)
	bursts, _ := run(3)
	unequal, unequal2 := run(4)
	delayed, _ := run(5)
	if lan.Rollbacks != 0 || delayed.Rollbacks != 0 {
		t.Errorf("on a local network %d rollbacks, covered by input delay %d", lan.Rollbacks, delayed.Rollbacks)
	}
	if hundred.Rollbacks < 20 || hundred.Deepest < 3 || hundred.Mispredicted == 0 {
		t.Errorf("at 100 ms: %+v", hundred)
	}
	if jitter.Deepest <= hundred.Deepest || bursts.Deepest <= hundred.Deepest {
		t.Errorf("the deepest rollback is of %d frames at 100 ms, %d with jitter, %d with bursts", hundred.Deepest, jitter.Deepest, bursts.Deepest)
	}
	if unequal.Rollbacks == 0 || unequal2.Rollbacks == 0 {
		t.Errorf("with unequal ways %d and %d rollbacks", unequal.Rollbacks, unequal2.Rollbacks)
	}
}

// With the same inputs and the same network, lockstep stalls where rollback does not, and both reach the same states.
func TestLockstepBesideRollback(t *testing.T) {
	s := lab.Tour[len(lab.Tour)-1].Settings
	free := scripted(t, s, 600)
	s.Lockstep = true
	locked := scripted(t, s, 600)
	a, b := free.Peers()[0].Stats(), locked.Peers()[0].Stats()
	if a.Stalls != 0 || b.Stalls == 0 || b.Frame >= a.Frame {
		t.Errorf("rollback: frame %d, %d stalls; lockstep: frame %d, %d stalls", a.Frame, a.Stalls, b.Frame, b.Stalls)
	}
}

// The newest rollback has its times: first the prediction, then the arrival, then a new frame, as far apart as the
// network makes them.
func TestARollbackHasATimeline(t *testing.T) {
	s := lab.Settings{Delay: 50 * time.Millisecond}
	if _, ok := scripted(t, lab.Settings{InputDelay: 2}, 300).Peers()[0].Rollback(); ok {
		t.Error("there is a rollback without a delay")
	}
	l := scripted(t, s, 300)
	for i, p := range l.Peers() {
		r, ok := p.Rollback()
		if !ok || r.Depth() < 2 || r.Depth() > lab.Window || r.Resimulated < 1 || r.Resimulated > r.Depth() {
			t.Fatalf("peer %d: %+v, %v", i, r, ok)
		}
		waited := r.Arrived - r.Predicted
		if waited < 20*time.Millisecond || waited > 120*time.Millisecond || r.Drawn < r.Arrived || r.Drawn-r.Arrived > 40*time.Millisecond {
			t.Errorf("peer %d: %+v; it waited %v", i, r, waited)
		}
		if frames := int((waited + 8*time.Millisecond) * 60 / time.Second); frames < r.Depth()-1 || frames > r.Depth()+1 {
			t.Errorf("peer %d: %v for %d frames", i, waited, r.Depth())
		}
	}
}
