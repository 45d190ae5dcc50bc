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
// Of the rest, tanks are [Hidden], and everything else is zero, including the generator. [Step] leaves a
// hidden tank alone, so that a client can step what Sight has left with the inputs that it is told,
// and blank the result. That is what Sight leaves of the true next state, unless something hidden
// had an influence: what comes into sight, a push or a hit by what was hidden, a hit on it, the
// place at which another tank appears, and the spawn that is drawn for one's own (which is told
// long before it is needed).
func Sight(s *State, p rollback.Player) rollback.PlayerSet {
	s.Rng = rng.Xorshift128Plus{}
	told := rollback.SetOf(p)
	eye, ok := s.eye(p)
	var own track
	if ok {
		own = s.track(int(p))
	}
	for q := range s.Tanks {
		tank := &s.Tanks[q]
		switch {
		case q == int(p) || tank.Stance == Absent:
		case ok && (tank.Stance == Alive || tank.Stance == Out) && sees(eye, tank.Pos):
			tank.Spawn = 0
			s.cut(&own, q)
			told |= rollback.SetOf(rollback.Player(q))
		default:
			*tank = tank.scoreOnly(Hidden)
			s.forget(q)
		}
	}
	for q := range s.Shots {
		if q == int(p) {
			continue
		}
		for i := range s.Shots[q] {
			if shot := &s.Shots[q][i]; !shot.none() && !(ok && sees(eye, shot.Pos)) {
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

// eye returns the point from which player p sees.
func (s *State) eye(p rollback.Player) (at fixed.Vec2, ok bool) {
	if p >= MaxPlayers || s.Tanks[p].Stance != Alive && s.Tanks[p].Stance != Out {
		return fixed.Vec2{}, false
	}
	return s.Tanks[p].Pos, true
}

// sees reports whether one point can be seen from another one. The result is the same from either end.
func sees(from, to fixed.Vec2) bool { return near(from, to, view) && clear(from, to) }

// track is the trail of a tank, the newest place first.
type track struct {
	at    [Rewind]fixed.Vec2
	known uint32 // how many are known, without a break from the newest one on
	box   box    // the box of these places, and of the tank's current position
}

func (s *State) track(p int) (t track) {
	tank, trail, lived := &s.Tanks[p], &s.Trails[p], s.Lived[p]
	if t.box = boxOf(tank.Pos); tank.Stance != Alive {
		return t
	}
	for slot := s.slot(1); lived>>slot&1 != 0; slot = before(slot) {
		t.at[t.known] = trail[slot]
		t.box.add(trail[slot])
		if t.known++; t.known == Rewind {
			break
		}
	}
	return t
}

// cut shortens the trail of player q's tank to the time for which a tank with this track has seen it
// without a break. Anything a client was told remains so, and nothing older is added when a tank comes
// into sight.
func (s *State) cut(own *track, q int) {
	seen := s.track(q)
	both := own.box
	both.add(seen.box.least)
	both.add(seen.box.most)
	walls, n := both.walls(), uint32(0)
	for n < min(own.known, seen.known) && near(own.at[n], seen.at[n], view) && clearOf(own.at[n], seen.at[n], walls) {
		n++
	}
	for slot := s.slot(n + 1); n < Rewind; n++ {
		s.Trails[q][slot] = fixed.Vec2{}
		s.Lived[q] &^= 1 << slot
		slot = before(slot)
	}
}
