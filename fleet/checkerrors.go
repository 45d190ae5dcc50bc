package fleet

import (
	"errors"
	"time"

	"github.com/tickback/tickback/session"
)

// errorsChecker: a session is over with an error that is expected: because it was
// left here, or with a typed one that says who is gone, if somebody is.
type errorsChecker struct{ indifferent }

func (errorsChecker) name() string { return "errors" }

func (c errorsChecker) event(r *referee, machine int, e *session.Event) {
	if e.What != session.Closed {
		return
	}
	m := r.machines[machine]
	err := m.Err()
	var lost *session.LostError
	var late *session.TimeoutError
	switch {
	case errors.Is(err, session.ErrClosed):
		if m.gone == "" {
			r.violate(c, machine, "the session is closed, and nobody has closed it")
		}
	case errors.As(err, &lost):
		if !r.isGone(lost.Players) && r.now < r.mayLose {
			r.violate(c, machine, "%v, and %v is there", err, lost.Players)
		}
	case errors.As(err, &late):
		// Somebody must have been away for half the time-out at least.
		if !r.isGone(late.Players) && r.now < r.plan.mayMiss(late.After/2-2*time.Second) {
			r.violate(c, machine, "%v, and %v is there", err, late.Players)
		}
	default:
		r.violate(c, machine, "an unexpected error: %v", err)
	}
}
