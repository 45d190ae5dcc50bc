package controls

import "slices"

// NoPad is the ID of a missing gamepad.
const NoPad = -1

// Seating assigns gamepads to players, so that unplugging one does not give its player to the next gamepad: the place
// stays free for the next one that is connected. The zero value is empty.
type Seating struct{ seats []int }

// Update sets the IDs of all connected gamepads; none is negative. It reports whether one was disconnected.
func (s *Seating) Update(ids []int) (lost bool) {
	for i, id := range s.seats {
		if id != NoPad && !slices.Contains(ids, id) {
			s.seats[i], lost = NoPad, true
		}
	}
	for _, id := range ids {
		if slices.Contains(s.seats, id) {
			continue
		}
		if free := slices.Index(s.seats, NoPad); free >= 0 {
			s.seats[free] = id
		} else {
			s.seats = append(s.seats, id)
		}
	}
	return lost
}

// Pads returns the IDs of the players' gamepads, in the order of the players; NoPad stands for a missing one. The
// result is valid until the next Update.
func (s *Seating) Pads() []int { return s.seats }
