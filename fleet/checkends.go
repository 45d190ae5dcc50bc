package fleet

import (
	"errors"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// endsChecker: if nobody is lost, every match comes to its end on all machines; whoever
// has an end of a match that is said to be agreed has the same as all others, whoever is
// lost, but of two who have lost each other; only a side without a majority, or who is
// out, has one that is not agreed; and everybody comes to an end of the run.
type endsChecker struct{ indifferent }

func (endsChecker) name() string { return "ends" }

// event sees why an end is not agreed as it happens: whoever comes back has another session,
// and another error, by the end of the run.
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
			return // the other one may have been the host
		}
		c.complete(r, r.match(uint32(n+1)))
	}
}

// same checks that all ends of a match are one.
func (c endsChecker) same(r *referee, rec *record) {
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

// offline compares an end with what the same inputs lead to offline.
func (c endsChecker) offline(r *referee, rec *record, machine int, o *session.Outcome) {
	n := len(rec.facts)
	if n == 0 || int(o.Frames) != n {
		return
	}
	if f := rec.facts[n-1]; f.hashed && o.Hash != f.hash || o.Finished != rec.end.Finished || o.Result != rec.end.Result {
		r.violate(c, machine, "match %d: the end is %+v, offline %016x with %+v", rec.number, *o, f.hash, rec.end)
	}
}

// complete checks that a match has been played to its end by all.
func (c endsChecker) complete(r *referee, rec *record) {
	for i, o := range rec.outcome {
		switch {
		case !r.remains(rec, i):
		case o == nil && !rec.played.has(i) && !r.remains(rec, 0):
			// nobody could begin it
		case o == nil:
			r.violate(c, i, "match %d has no end", rec.number)
		case o.Frames != r.plan.Frames && !o.Finished:
			r.violate(c, i, "match %d has %d frames of %d", rec.number, o.Frames, r.plan.Frames)
		}
	}
}

// last reports whether an outcome says that all others were gone: that of two who have
// lost each other, if they can.
func (r *referee) last(machine int, o *session.Outcome) bool {
	all := rollback.PlayerSet(1<<r.plan.Players() - 1)
	return r.now >= r.mayLose && o.Left|r.machines[machine].players == all
}

// leftEarly reports whether a machine was gone before all matches were through.
func (r *referee) leftEarly() bool {
	for _, m := range r.machines {
		if m.gone != "" && m.gone != through || m.kicked {
			return true
		}
	}
	return r.match(1).members != r.plan.founders()
}

// remains reports whether a machine is there to the end of a match: of one that goes on
// without those who go, as a member who was not left behind.
func (r *referee) remains(rec *record, machine int) bool {
	m := r.machines[machine]
	if m.dead || m.gone != "" && m.gone != through {
		return false
	}
	if !r.plan.continues() {
		return true
	}
	return m.started && m.first <= rec.number && !m.fresh && !m.alone && rec.members.has(machine) && !leftBehind(m.Err()) && !r.tooLate(m)
}

// leftBehind reports whether a session is over because the others are, or may be, going
// on without it.
func leftBehind(err error) bool {
	var out *session.RemovedError
	var lack *session.QuorumError
	return errors.As(err, &out) || errors.As(err, &lack)
}

// through is how machines are gone that have played everything.
const through = "through"
