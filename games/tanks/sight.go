package tanks

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

// Sight blanks what player p must not know of a match: in s, so give it a copy. It returns the
// players whose inputs p may be told: its own, and those of the tanks that it sees. It depends on
// nothing but the state, and blanking again changes nothing.
//
// A tank sees what is nearer than [ViewDistance], with no wall between the centres. A wreck sees
// what its tank would, until the next life. Player p may know
//
//   - all of its own tank and shots,
//   - tanks and wrecks that it sees, but not where those will appear next; and where they were for
//     as long as it has seen them without a break, in this life of both,
//   - shots that it sees,
//   - everybody's score, who is in the match, and the time.
//
// Of the rest a tank is [Hidden], and everything else zero, the generator too. [Step] leaves a
// hidden tank alone, so that a client can step what Sight has left with the inputs that it is told,
// and blank the result. That is what Sight leaves of the true next state, unless something hidden
// had an influence: what comes into sight, a push or a hit by what was hidden, a hit on it, the
// place at which another tank appears, and the spawn that is drawn for one's own (which is told
// long before it is needed).
func Sight(s *State, p rollback.Player) rollback.PlayerSet {
	s.Rng = rng.Xorshift128Plus{}
	told := rollback.SetOf(p)
	for q := range s.Tanks {
		tank := &s.Tanks[q]
		switch {
		case q == int(p) || tank.Stance == Absent:
		case s.Sees(p, rollback.Player(q)):
			tank.Spawn = 0
			s.cut(int(p), q)
			told |= rollback.SetOf(rollback.Player(q))
		default:
			*tank = tank.scoreOnly(Hidden)
			s.forget(q)
		}
	}
	eye, ok := s.eye(p)
	for q := range s.Shots {
		for i := range s.Shots[q] {
			if shot := &s.Shots[q][i]; q != int(p) && !(ok && sees(eye, shot.Pos)) {
				*shot = Shot{}
			}
		}
	}
	return told
}

// Sees reports whether player p sees player q's tank, or its wreck.
func (s *State) Sees(p, q rollback.Player) bool {
	from, ok := s.eye(p)
	to, there := s.eye(q)
	return ok && there && sees(from, to)
}

// eye returns from where player p sees.
func (s *State) eye(p rollback.Player) (at fixed.Vec2, ok bool) {
	if p >= MaxPlayers || s.Tanks[p].Stance != Alive && s.Tanks[p].Stance != Out {
		return fixed.Vec2{}, false
	}
	return s.Tanks[p].Pos, true
}

// sees is the same from either end.
func sees(from, to fixed.Vec2) bool { return near(from, to, view) && clear(from, to) }

// cut shortens the trail of player q's tank to the time for which player p has seen it without a
// break. What one has been told stays told, and nothing older is added when a tank comes into sight.
func (s *State) cut(p, q int) {
	seen := true
	for ago := uint32(1); ago <= Rewind; ago++ {
		if seen {
			from, ok := s.Trail(p, ago)
			to, there := s.Trail(q, ago)
			seen = ok && there && sees(from, to)
		}
		if slot := s.slot(ago); !seen {
			s.Trails[q][slot] = fixed.Vec2{}
			s.Lived[q] &^= 1 << slot
		}
	}
}
