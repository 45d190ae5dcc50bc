package foyer

import (
	"errors"
	"time"

	"github.com/tickback/tickback/online"
)

const (
	// RetryEvery is how often to try to join a match as long as nobody can be reached.
	RetryEvery = 300 * time.Millisecond
	// StartTime is how long to wait for a requested start before it can be requested again.
	StartTime = 3 * time.Second
	// Settle is how long a finished match stays open, so that all others reach its end, too.
	Settle = 1200 * time.Millisecond
)

// Retry says when something may be tried, and how often it was. The zero value is due.
type Retry struct {
	at    time.Time
	tries int
}

// Due reports whether it may be tried now.
func (r *Retry) Due(now time.Time) bool { return !now.Before(r.at) }

// At is when it may be tried next.
func (r *Retry) At(t time.Time) { r.at = t }

// Again counts a failed attempt, and reports whether there were fewer than most before.
func (r *Retry) Again(most int) bool {
	if r.tries >= most {
		return false
	}
	r.tries++
	return true
}

// Forget forgets all attempts. It does not make it due earlier.
func (r *Retry) Forget() { r.tries = 0 }

// NotYet reports whether an error of joining a match may have gone by itself a moment later, by news from the room.
func NotYet(err error) bool {
	for _, e := range []error{online.ErrNobody, online.ErrNoMatch, online.ErrBusy, online.ErrWatching} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
