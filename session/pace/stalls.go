package pace

import (
	"time"

	"github.com/tickback/tickback/rollback"
)

// Stalls counts the tick periods of a match whose frame could not run when it was due, and how
// long frames had to wait. Its Reminder is for the wait at hand.
type Stalls struct {
	Reminder
	stalls, blocked uint64
	stalled         time.Duration // in finished stalls
	last            bool          // the frame of the last period could not run when it was due
	waiting         rollback.PlayerSet
	since           time.Duration // when the wait began; 0: no frame waits
}

// Period counts a tick period; blocked says that its frame could not run.
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

// Wait notes which players a frame waits for, from now on unless it has waited already.
func (s *Stalls) Wait(players rollback.PlayerSet, now time.Duration) {
	s.waiting = players
	if s.since == 0 {
		s.since = now
		s.Reminder.End()
	}
}

// Waiting returns which players a frame waits for and since when; since is 0 if none waits.
func (s *Stalls) Waiting() (players rollback.PlayerSet, since time.Duration) {
	return s.waiting, s.since
}

// Resume says that a frame has run. It returns how long a frame had waited if that was told.
func (s *Stalls) Resume(now time.Duration) (lasted time.Duration, told bool) {
	if s.since == 0 {
		return 0, false
	}
	lasted = now - s.since
	s.stalled += lasted
	s.since = 0
	return lasted, s.Reminder.End()
}

// End ends counting with the match; a frame that still waits has waited until now.
func (s *Stalls) End(now time.Duration) {
	if s.since != 0 {
		s.stalled += now - s.since
	}
}

// Count returns how many stalls there were, how many periods were blocked, and how long the
// finished stalls lasted.
func (s *Stalls) Count() (stalls, periods uint64, lasted time.Duration) {
	return s.stalls, s.blocked, s.stalled
}
