package pace

import (
	"time"

	"github.com/tickback/tickback/rollback"
)

// Stalls counts the tick periods of a match whose frame could not run when it was due, and the
// time that frames had to wait.
type Stalls struct {
	stalls, blocked uint64
	stalled         time.Duration // in stalls that are over
	last            bool          // the frame of the last period could not run when it was due
	waiting         rollback.PlayerSet
	since           time.Duration // when it began; 0: no frame waits
}

// Period counts a tick period, whose frame could run or not.
func (s *Stalls) Period(blocked bool) {
	if blocked {
		s.blocked++
		if !s.last {
			s.stalls++
		}
	}
	s.last = blocked
}

// Stalled reports whether the frame of the last period could not run when it was due.
func (s *Stalls) Stalled() bool { return s.last }

// Wait notes which players a frame waits for.
func (s *Stalls) Wait(players rollback.PlayerSet, now time.Duration) (begins bool) {
	s.waiting = players
	if s.since != 0 {
		return false
	}
	s.since = now
	return true
}

// Waiting returns which players a frame waits for, and since when; 0 is no frame does.
func (s *Stalls) Waiting() (players rollback.PlayerSet, since time.Duration) {
	return s.waiting, s.since
}

// Resume ends waiting, and returns how long it lasted.
func (s *Stalls) Resume(now time.Duration) (lasted time.Duration) {
	lasted = now - s.since
	s.stalled += lasted
	s.since = 0
	return lasted
}

// End ends counting with the match: a frame that still waits has waited until now.
func (s *Stalls) End(now time.Duration) {
	if s.since != 0 {
		s.stalled += now - s.since
	}
}

// Count returns how many stalls there were, how many periods they had, and how long they
// lasted, but for one that goes on.
func (s *Stalls) Count() (stalls, periods uint64, lasted time.Duration) {
	return s.stalls, s.blocked, s.stalled
}
