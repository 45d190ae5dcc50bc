package arena

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Step advances s by one frame, in place, without a [rollback.Tick]: [Game] does
// the same. Of in it reads the players that are present, out takes the effects
// and may be nil.
func Step(s *State, in *[MaxPlayers]Input, present rollback.PlayerSet, out *effects.Emitter) {
	t := tick{s: s, in: in, present: present, out: out}
	s.Frame++
	t.dismiss()
	t.advance()
}

// tick is a step in progress.
type tick struct {
	s       *State
	in      *[MaxPlayers]Input
	present rollback.PlayerSet
	out     *effects.Emitter

	blows [MaxPlayers]blow // decided and not yet applied, by victim
}

// dismiss takes the fighters of players who have left out of the match. What they
// have scored stays with the place, and so do their shots in the air.
func (t *tick) dismiss() {
	for p := range t.s.Fighters {
		f := &t.s.Fighters[p]
		if f.Stance != Absent && !t.present.Has(rollback.Player(p)) {
			*f = f.scoreOnly()
		}
	}
}

// world moves everything by one tick, phase by phase. Inside a phase the order of
// players does not matter: everybody acts before anybody moves, and what they do
// to each other is decided for all before it is applied to any.
func (t *tick) world() {
	t.run(AllButtons)
	t.flyShots()
	t.decideShots()
	t.decideRams()
	t.applyBlows()
	t.takePickups()
	t.spawnPickup()
	t.sustain()
}

// run lets the fighters act, as far as they may, and moves them.
func (t *tick) run(allowed Buttons) {
	standing := t.s.standing()
	for p := range standing.All() {
		in := t.in[p]
		in.Buttons &= allowed
		t.act(int(p), in)
	}
	for p := range standing.All() {
		t.s.Fighters[p].move()
	}
	t.separate()
}
