package netplay

import "time"

// seating is whether we want a seat in the room, and when we may ask for one.
type seating struct {
	watches bool
	at      time.Time
}

// watch wants no seat any more, and play wants one.
func (s *seating) watch() { s.watches = true }
func (s *seating) play()  { s.watches = false }

// swap leaves the first seat to another member for a moment.
func (s *seating) swap(now time.Time) { s.at = now.Add(time.Second) }

// asks reports whether to ask for a seat now; possible says that we have none and one is free.
func (s *seating) asks(now time.Time, possible bool) bool {
	if s.watches || !possible || now.Before(s.at) {
		return false
	}
	s.at = now.Add(2 * time.Second)
	return true
}
