package arena

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Step advances s by one frame, in place, as [Game] does but without a [rollback.Tick]. It reads
// only the inputs of players that are present. out takes the effects and may be nil.
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

// dismiss removes the fighters of players that have left. Their score stays with the place, and
// their shots stay in the air.
func (t *tick) dismiss() {
	for p := range t.s.Fighters {
		f := &t.s.Fighters[p]
		if f.Stance != Absent && !t.present.Has(rollback.Player(p)) {
			*f = f.scoreOnly()
		}
	}
}

// world moves everything by one tick, phase by phase. Within a phase the order of players does
// not matter: all act before any moves, and hits are decided for all before any is applied.
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

// run lets the fighters act with the allowed buttons, and moves them.
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
