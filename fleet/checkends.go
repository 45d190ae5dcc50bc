package fleet

import (
	"errors"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// endsChecker checks how matches end. If no machine is lost, every match ends normally on all machines. All agreed ends
// of a match are the same, whichever machine is lost, except when two machines have lost each other. Only a side
// without a majority, or a removed machine, has an end that is not agreed. And every session is over by the end of the
// run.
type endsChecker struct{ noCheck }

func (endsChecker) name() string { return "ends" }

// event checks ends that are not agreed when they happen: a machine that comes back has another
// session, and another error, by the end of the run.
func (c endsChecker) event(r *referee, machine int, e *session.Event) {
	if e.What != session.Ended {
		return
	}
	o, err := r.match(e.Match).outcome[machine], r.machines[machine].Err()
	if o != nil && o.Unagreed && !leftBehind(err) {
		r.violate(c, machine, "match %d: the end is not agreed, %+v, and the session is over with %v", e.Match, *o, err)
	}
}

func (c endsChecker) end(r *referee) {
	for i, m := range r.machines {
		if !m.dead && !(m.Phase() == session.Over && m.Done()) {
			r.violate(c, i, "still %v in match %d, frame %d", m.Phase(), m.match, m.Frame())
		}
	}
	broken, _ := r.plan.diverges()
	for _, rec := range r.matches {
		if broken < 0 || rec.number > 1 {
			c.same(r, rec)
		}
	}
	if broken >= 0 || r.mayLose < r.now && !r.plan.continues() {
		return
	}
	if r.leftEarly() {
		if r.plan.continues() {
			c.complete(r, r.match(1))
		}
		return
	}
	for n := range r.plan.Matches {
		if r.parted() && uint32(n) >= r.split {
			return // one of the two machines may have been the host
		}
		c.complete(r, r.match(uint32(n+1)))
	}
}

// same checks that all agreed ends of a match are the same.
func (c endsChecker) same(r *referee, rec *matchRecord) {
	var first *session.Outcome
	for i, o := range rec.outcome {
		if o == nil || o.Unagreed || r.machines[i].alone {
			continue
		}
		if c.offline(r, rec, i, o); r.last(i, o) {
			continue
		}
		if first == nil {
			first = o
		}
		if o.Frames != first.Frames || o.Hash != first.Hash || o.Chain != first.Chain || o.Result != first.Result || o.Finished != first.Finished {
			r.violate(c, i, "match %d: the end is %+v, elsewhere %+v", rec.number, *o, *first)
		}
	}
	for i, o := range rec.outcome {
		if m := r.machines[i]; o == nil && r.plan.continues() && first != nil && first.Frames > 0 && r.remains(rec, i) && m.gone == "" {
			r.violate(c, i, "match %d has no end here, elsewhere %+v", rec.number, *first)
		}
	}
}

// offline compares an end with the result of the same inputs offline.
func (c endsChecker) offline(r *referee, rec *matchRecord, machine int, o *session.Outcome) {
	n := len(rec.facts)
	if n == 0 || int(o.Frames) != n {
		return
	}
	if f := rec.facts[n-1]; f.hashed && o.Hash != f.hash || o.Finished != rec.end.Finished || o.Result != rec.end.Result {
		r.violate(c, machine, "match %d: the end is %+v, offline %016x with %+v", rec.number, *o, f.hash, rec.end)
	}
}

// complete checks that all machines have played a match to its end.
func (c endsChecker) complete(r *referee, rec *matchRecord) {
	for i, o := range rec.outcome {
		switch {
		case !r.remains(rec, i):
		case o == nil && !rec.played.has(i) && !r.remains(rec, 0):
			// No machine was able to begin it.
		case o == nil:
			r.violate(c, i, "match %d has no end", rec.number)
		case o.Frames != r.plan.Frames && !o.Finished:
			r.violate(c, i, "match %d has %d frames of %d", rec.number, o.Frames, r.plan.Frames)
		}
	}
}

// last reports whether an outcome says that all others were gone. That is the outcome of each of two machines that have
// lost each other, if machines can lose each other.
func (r *referee) last(machine int, o *session.Outcome) bool {
	all := rollback.PlayerSet(1<<r.plan.Players() - 1)
	return r.now >= r.mayLose && o.Left|r.machines[machine].players == all
}

// leftEarly reports whether a machine left before it had played all matches.
func (r *referee) leftEarly() bool {
	for _, m := range r.machines {
		if m.gone != "" && m.gone != through || m.kicked {
			return true
		}
	}
	return r.match(1).members != r.plan.founders()
}

// remains reports whether a machine is present until the end of a match. If the match goes on when machines leave, the
// machine must be a member that was not left behind.
func (r *referee) remains(rec *matchRecord, machine int) bool {
	m := r.machines[machine]
	if m.dead || m.gone != "" && m.gone != through {
		return false
	}
	if !r.plan.continues() {
		return true
	}
	return m.started && m.first <= rec.number && !m.fresh && !m.alone && rec.members.has(machine) && !leftBehind(m.Err()) && !r.tooLate(m, rec)
}

// leftBehind reports whether a session is over because the others go on without it, or may have done so.
func leftBehind(err error) bool {
	var out *session.RemovedError
	var lack *session.QuorumError
	return errors.As(err, &out) || errors.As(err, &lack)
}

// through is the reason given by machines that leave because they have played everything.
const through = "through"
