package effects

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// finishes ends everything, with exactly these events, and nothing is left.
func (s *script) finishes(want ...string) {
	s.t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), texts(s.j.Finish(nil))); diff != "" {
		s.t.Errorf("the events, expected and got:\n%s", diff)
	}
	if len(s.j.orphans)+len(s.j.sounds) > 0 || s.j.Err() != nil {
		s.t.Errorf("left are %d orphans and %d sounds: %v", len(s.j.orphans), len(s.j.sounds), s.j.Err())
	}
}

// Rule: after Finish everything shown is over: what was emitted last is confirmed, sounds end,
// and what is no longer emitted is cancelled, whatever the tolerance.
func TestFinishEndsEverything(t *testing.T) {
	for _, tolerance := range []int{-1, 2, 1000} {
		s := play(t, tolerance).next("hit 1").sees("started hit 1 at 0")
		s.next("hit 2, hum 1").sees("started hit 2 at 1", "started hum 1 at 1")
		s.finishes("confirmed hit 1 at 0", "confirmed hit 2 at 1", "confirmed hum 1 at 1", "ended hum 1 at 2 since 1")
		play(t, tolerance).next("hit 1", "ko 1, glow 2").finishes(
			"started hit 1 at 0 late 1", "started glow 2 at 1", "confirmed hit 1 at 0", "started ko 1 at 1", "confirmed ko 1 at 1", "confirmed glow 2 at 1", "ended glow 2 at 2 since 1")
	}
	play(t, 2).next("hit 1").sees("started hit 1 at 0").again(0, "").finishes("cancelled hit 1 at 0")
	play(t, 2).finishes()
}

// Rule: earlier events are returned, too, in their place.
func TestFinishAppends(t *testing.T) {
	s := play(t, 2).next("hit 1")
	before := []Event{{What: Updated, Kind: hit.ID(), Key: 7, spec: hit.spec}}
	if got := texts(s.j.Finish(before)); len(got) != 3 || got[0] != "updated hit 7 at 0" {
		t.Errorf("it tells %q", got)
	}
}

// Rule: over random matches, each effect that was started is over after Finish, once.
func TestFinishLeavesNothing(t *testing.T) {
	for seed := range uint64(300) {
		m := newMatch(generator{rand.New(rand.NewPCG(seed, 3))})
		if err := m.run(60); err != nil {
			t.Fatal(err)
		}
		sounds := len(m.j.sounds)
		ended := 0
		for _, e := range m.j.Finish(nil) {
			if e.spec.mode&sustained != 0 {
				switch e.What {
				case Started:
					sounds++
				case Ended, Cancelled:
					ended++
				}
			}
		}
		if ended != sounds || len(m.j.orphans)+len(m.j.sounds) > 0 || m.j.Err() != nil {
			t.Fatalf("seed %d: %d sounds, %d ended, left are %d and %d: %v", seed, sounds, ended, len(m.j.sounds), len(m.j.orphans), m.j.Err())
		}
	}
}
