package netplay

import (
	"time"

	"github.com/tickback/tickback/play/foyer"
)

// entry is our way into the room's match, and back into one that we have left.
type entry struct {
	again bool // we join a match that has begun without us, or goes on without us
	retry foyer.Retry
}

// maxTries is the maximum number of failed attempts to join a match.
const maxTries = 5

// due reports whether to join the room's match now; started says that the room has just begun it with us.
func (e *entry) due(now time.Time, started bool, match uint32) bool {
	return (started || e.again && match != 0) && e.retry.Due(now)
}

// rest forgets everything if the room has no match.
func (e *entry) rest(match uint32) {
	if match == 0 {
		*e = entry{}
	}
}

// join joins the match if the room has one, and joined records that we did.
func (e *entry) join()   { e.again = true }
func (e *entry) joined() { e.again = false }

// later joins the match not before a time.
func (e *entry) later(at time.Time) { e.retry.At(at) }

// failed counts an attempt that came too early or too late, and reports whether there will be another one.
func (e *entry) failed(now time.Time) bool {
	if !e.retry.Again(maxTries) {
		return false
	}
	e.again = true
	e.retry.At(now.Add(time.Second))
	return true
}

// ended records that a match has come to its end.
func (e *entry) ended() { e.retry.Forget() }
