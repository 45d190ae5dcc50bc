package tanks

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Step advances s by one frame, in place, as [Game] does but without a [rollback.Tick]. It reads
// only the inputs of players that are present. out takes the effects and may be nil.
func Step(s *State, in *[MaxPlayers]Input, present rollback.PlayerSet, out *effects.Emitter) {
	if s.Over() {
		return
	}
	t := tick{s: s, in: in, present: present, out: out}
	s.remember()
	s.Frame++
	t.attend()
	t.drive()
	t.separate()
	t.fly()
	t.fire()
	if s.Over() {
		MatchEnded.Emit(out, 0, End{Winner: uint8(s.Result())})
	}
}

// tick is a step in progress.
type tick struct {
	s       *State
	in      *[MaxPlayers]Input
	present rollback.PlayerSet
	out     *effects.Emitter
}

// drive moves all tanks, each as if it were alone.
func (t *tick) drive() {
	for p := range t.s.Tanks {
		Drive(&t.s.Tanks[p], t.in[p], TickMs)
	}
}
