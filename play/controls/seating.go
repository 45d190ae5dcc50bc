package controls

import "slices"

// NoPad is the ID in the place of a gamepad that is gone.
const NoPad = -1

// Seating remembers which gamepad is which player's, so that one that is unplugged does
// not give its player to the next: its place is kept, for whichever comes. The zero value
// is empty.
type Seating struct{ seats []int }

// Update takes the IDs of all gamepads that are there, each not negative. It reports
// whether one is gone.
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

// Pads returns the IDs of the players' gamepads, the first player's first; NoPad is one
// that is gone. It is valid until the next Update.
func (s *Seating) Pads() []int { return s.seats }
