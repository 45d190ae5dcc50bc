package fleet

import (
	"errors"
	"time"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

// errorsChecker checks that a session ends with an expected error: because it was closed here, or with a typed error
// that names the players that are gone, if any are.
type errorsChecker struct{ noCheck }

func (errorsChecker) name() string { return "errors" }

func (c errorsChecker) event(r *referee, machine int, e *session.Event) {
	if e.What != session.Closed {
		return
	}
	m := r.machines[machine]
	err := m.Err()
	var lost *session.LostError
	var late *session.TimeoutError
	var out *session.RemovedError
	var lack *session.QuorumError
	var join *session.JoinError
	switch {
	case m.fresh:
		c.refused(r, machine, err)
	case errors.As(err, &join):
		if !r.tooLate(m, r.match(m.match)) && !(m.lacks() && r.anybodyGone()) {
			r.violate(c, machine, "%v, although it was in the match", err)
		}
	case errors.Is(err, session.ErrClosed):
		if m.gone == "" {
			r.violate(c, machine, "the session is closed, although nobody has closed it")
		}
	case errors.As(err, &lost):
		if !r.isGone(lost.Players) && r.now < r.mayLose && !r.stretched(machine, lost.Players) {
			r.violate(c, machine, "%v, although %v is there", err, lost.Players)
		}
	case errors.As(err, &late):
		// Some machine must have been away for at least half of the time-out.
		if !r.isGone(late.Players) && r.now < r.plan.network().mayMiss(late.After/2-2*time.Second) {
			r.violate(c, machine, "%v, although %v is there", err, late.Players)
		}
	case errors.As(err, &out):
		if out.Kicked && !m.kicked || !out.Kicked && r.now < r.mayLose && !m.kicked {
			r.violate(c, machine, "%v, although it was always there", err)
		}
	case errors.As(err, &lack):
		if !r.isGone(lack.Players) && r.now < r.mayLose {
			r.violate(c, machine, "%v, although %v is there", err, lack.Players)
		}
	default:
		r.violate(c, machine, "an unexpected error: %v", err)
	}
}

// refused checks the error of a machine that did not get into a match: the error must say why, and must not accuse
// others of breaking the protocol.
func (c errorsChecker) refused(r *referee, machine int, err error) {
	var join *session.JoinError
	var hosts *spectate.HostsError
	var late *session.TimeoutError
	if r.machines[machine].gone == "" && errors.Is(err, session.ErrClosed) ||
		!errors.Is(err, session.ErrClosed) && !errors.As(err, &join) && !errors.As(err, &hosts) && !errors.As(err, &late) {
		r.violate(c, machine, "it did not get into the match, with an unexpected error: %v", err)
	}
}

// tooLate reports whether a match was over before a machine could join it. A machine that would join after the last
// possible frame of a match is always too late, even if no other machine has reported all frames: if two machines have
// parted, the one that is asked plays on alone, and its frames are not recorded. If it has ended the match, it reports
// that to the machine itself.
func (r *referee) tooLate(m *watched, rec *matchRecord) bool {
	if m.joined != rec.number {
		return false
	}
	if m.came >= r.plan.Frames {
		return true
	}
	for _, other := range r.machines {
		if other != m && other.match == rec.number && other.Phase() == session.Ending && other.next <= m.came {
			return true
		}
	}
	return (rec.end.Finished || len(rec.facts) >= int(r.plan.Frames)) && int(m.came) >= len(rec.facts)
}
