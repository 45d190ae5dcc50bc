package tickbacktest

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/rollback"
)

type sums struct{ Pressed, Odd int32 }

// summing is a game in which another build computes something else once the last player has pressed 3 twice.
func summing(other bool) rollback.Game[sums, int8] {
	return rollback.Game[sums, int8]{Step: func(s *sums, t *rollback.Tick[int8]) {
		if in := t.Input(rollback.Player(t.Players() - 1)); in == 3 {
			if s.Pressed++; s.Pressed == 2 && other {
				s.Odd++
			}
		}
	}}
}

// thinned are two builds that play a game differently, and a match of 300 frames in which they do.
func thinned(t *testing.T) *thinner[sums, int8] {
	t.Helper()
	here, there := newBuilds(t, summing(false)), newBuilds(t, summing(true))
	m := newMatch[int8](3, 300)
	for i := range m.inputs {
		m.inputs[i] = int8(i%5 + 1)
	}
	for f := range m.gone {
		m.gone[f] = rollback.PlayerSet(f / 9 & 2)
	}
	m.orders[31] = []byte{1}
	m.tidy()
	s := &thinner[sums, int8]{builds: here}
	s.ask = func(list []*match[int8]) (*reply, error) {
		r := &reply{}
		for _, m := range list {
			outcomes, f := there.record(m)
			if f != nil {
				return nil, errors.New(f.what)
			}
			r.Outcomes = append(r.Outcomes, outcomes)
		}
		return r, nil
	}
	first, _ := here.record(m)
	r, err := s.ask([]*match[int8]{m})
	if err != nil {
		t.Fatal(err)
	}
	here.match, here.found = m, differing(first, r.Outcomes[0], "")
	if here.found == nil {
		t.Fatal("they do not differ")
	}
	return s
}

// Rule: of a match that two builds play differently, only what causes the difference is left, with few runs of the other build.
func TestMatchesOfBuildsAreShrunk(t *testing.T) {
	s := thinned(t)
	s.thin()
	if m := s.match; m.frames() != 2 || m.weight() != 2 || m.inputs[2] != 3 || m.inputs[5] != 3 || s.found.frame != 1 {
		t.Errorf("left are %d frames, inputs %v, orders %v, gone %v, and frame %d differs", m.frames(), m.inputs, m.orders, m.gone, s.found.frame)
	}
	if s.asks > shrinkAsks || s.tried == 0 {
		t.Errorf("%d runs, and %d matches", s.asks, s.tried)
	}
}

// Rule: the number of runs in the search is limited, and the result so far is kept if the other build fails.
func TestShrinkingOfBuildsIsBounded(t *testing.T) {
	s := thinned(t)
	s.asks = shrinkAsks - 2
	was := s.match.frames()
	s.thin()
	if s.asks != shrinkAsks || s.match.frames() >= was || s.found == nil {
		t.Errorf("%d runs, and %d frames", s.asks, s.match.frames())
	}
	s = thinned(t)
	end := s.found.frame + 1
	s.ask = func([]*match[int8]) (*reply, error) { return nil, errors.New("no") }
	if s.thin(); s.match.frames() != end || s.found.frame != end-1 {
		t.Errorf("%d frames, and frame %d differs", s.match.frames(), s.found.frame)
	}
	s = thinned(t)
	s.found.frame = -1
	if s.thin(); s.asks != 0 {
		t.Error("what is about no frame is shrunk")
	}
}
