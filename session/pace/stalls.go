package pace

import (
	"time"

	"github.com/tickback/tickback/rollback"
)

// Stalls counts the tick periods of a match whose frame could not run when it was due, how much time frames lost
// as a result, and which players caused it. Its Reminder is for the current wait.
type Stalls struct {
	Reminder
	stalls, blocked uint64
	stalled         time.Duration                      // total time lost
	waited          [rollback.MaxPlayers]time.Duration // by player: time lost while a frame waited for it
	last            bool                               // the frame of the last period could not run when it was due
	waiting         rollback.PlayerSet
	since           time.Duration // when the wait began; 0: no frame waits
	due             time.Duration // when the last period was due
	waits           uint64        // number of waits that have cost a period or more
	slowdown        slowdown
}

// Begin begins a tick period that is due at due; most limits the time since the last one. If a frame still waits,
// so that no other is due, the previous period is lost: all frames from there on are that much later. A frame that
// has run within its period has cost no time, however long it waited.
func (s *Stalls) Begin(due, most time.Duration) {
	if s.since != 0 {
		s.lose(min(max(due-s.due, 0), most))
	}
	s.due = due
}

// lose counts the time that the previous period has lost.
func (s *Stalls) lose(lost time.Duration) {
	s.stalled += lost
	if s.since >= s.due {
		s.waits++
	}
	for p := range s.waiting.All() {
		s.waited[p] += lost
	}
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

// Wait records which players a frame waits for, from now on unless it has been waiting already.
func (s *Stalls) Wait(players rollback.PlayerSet, now time.Duration) {
	s.waiting = players
	if s.since == 0 {
		s.since = now
		s.Reminder.End()
	}
}

// Waiting returns which players a frame waits for and since when; since is 0 if no frame waits.
func (s *Stalls) Waiting() (players rollback.PlayerSet, since time.Duration) {
	return s.waiting, s.since
}

// Resume records that a frame has run. It returns how long the frame had waited, and whether that was reported.
func (s *Stalls) Resume(now time.Duration) (lasted time.Duration, told bool) {
	if s.since == 0 {
		return 0, false
	}
	lasted = now - s.since
	s.since = 0
	return lasted, s.Reminder.End()
}

// Count returns the number of stalls, the number of blocked periods, and the time lost.
func (s *Stalls) Count() (stalls, periods uint64, lost time.Duration) {
	return s.stalls, s.blocked, s.stalled
}

// Waited returns how much time was lost while a frame waited for one of these players: the maximum over the
// players.
func (s *Stalls) Waited(players rollback.PlayerSet) (most time.Duration) {
	for p := range players.All() {
		most = max(most, s.waited[p])
	}
	return most
}
