package skirmish

import (
	"github.com/tickback/tickback/rollback"
)

// step is a tick in progress.
type step struct {
	*World
	t *rollback.Tick[Input]
}

// Step advances the match by one tick: orders, gold and training, ways, units and shots, and their
// effects. The result does not depend on the order in which workers finish.
func Step(w *World, t *rollback.Tick[Input]) {
	s := &w.memo.step // so that stages can use it without an allocation
	//detlint:ignore retain it is let go when Step returns
	*s = step{w, t}
	defer func() { s.t = nil }()
	m := w.Match.Get()
	if m.Over {
		t.Finish(uint64(m.Winner))
		return
	}
	w.Match.Write().Frame++
	if m.Players == 0 {
		w.settle(int(t.Players()))
	}
	w.memo.look(w)
	s.orders()
	s.buildings()
	s.reinforce()
	s.paths()
	s.units()
	s.shots()
	s.judge()
}

// TicksPerSecond is the rate at which a match is meant to be played.
const TicksPerSecond = 30

// every reports whether something slow that is done once in a number of ticks is due in this tick.
func (s *step) every(ticks uint32) bool { return s.Match.Get().Frame%ticks == 0 }

// judge ends the match once at most one side has not lost.
func (s *step) judge() {
	m := s.Match.Get()
	left, winner := 0, uint8(0)
	sides := s.Sides.Get()
	for p := range m.Players {
		if !sides[p].Lost {
			left++
			winner = p + 1
		}
	}
	if left > 1 {
		return
	}
	if left == 0 {
		winner = 0
	}
	now := s.Match.Write()
	now.Over, now.Winner = true, winner
	s.t.Finish(uint64(winner))
}
