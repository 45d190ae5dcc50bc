package tanks

import "github.com/tickback/tickback/fixed"

// The trail of a tank is where it was in the last Rewind states. It is a part of the state, so that
// shots go back by it wherever the match is played: by a server, by a peer, by a spectator, in a
// recording. It covers one life: it begins with a spawn, and ends with the wreck.
//
// Slot n % Rewind is of state n. A slot that is not of the current life is zero.

// remember adds the current state to the trails.
func (s *State) remember() {
	slot := s.slot(0)
	for p := range s.Tanks {
		if s.Tanks[p].Stance == Alive {
			s.Trails[p][slot] = s.Tanks[p].Pos
			s.Lived[p] |= 1 << slot
		}
	}
}

// slot returns the slot of the state that is ago ticks old, at most Rewind.
func (s *State) slot(ago uint32) uint32 { return (s.Frame%Rewind + Rewind - ago) % Rewind }

// before returns the slot of the state before the state in a slot.
func before(slot uint32) uint32 {
	if slot == 0 {
		return Rewind - 1
	}
	return slot - 1
}

// forget ends the trail of player p's tank.
func (s *State) forget(p int) {
	s.Trails[p], s.Lived[p] = [Rewind]fixed.Vec2{}, 0
}

// Trail returns where player p's tank was ago ticks before now, and whether that is known: ago is from 0,
// which means now, to Rewind. Places before its current life are not known.
func (s *State) Trail(p int, ago uint32) (at fixed.Vec2, ok bool) {
	switch {
	case s.Tanks[p].Stance != Alive || ago > Rewind:
		return fixed.Vec2{}, false
	case ago == 0:
		return s.Tanks[p].Pos, true
	}
	slot := s.slot(ago)
	return s.Trails[p][slot], s.Lived[p]>>slot&1 != 0
}
