package fleet

import (
	"time"

	"github.com/tickback/tickback/session"
)

// healthChecker checks that desync reports are right, and that all machines report one.
type healthChecker struct{ noCheck }

func (healthChecker) name() string { return "health" }

func (c healthChecker) event(r *referee, machine int, e *session.Event) {
	if e.What != session.Desync {
		return
	}
	rec := r.match(r.machines[machine].match)
	if w := rec.anyWrong(); w < 0 || w >= int64(e.Frame) {
		r.violate(c, machine, "match %d: %v, although all states are equal until then", rec.number, e)
	}
}

func (c healthChecker) end(r *referee) {
	for _, rec := range r.matches {
		wrong := rec.anyWrong()
		for i, o := range rec.outcome {
			if o == nil {
				continue
			}
			switch differs := wrong >= 0 && wrong < int64(o.Frames); {
			case !differs && o.Health == session.Desynced:
				r.violate(c, i, "match %d is desynced, although all states are equal", rec.number)
			case differs && o.Health != session.Desynced && c.told(r, rec, o, wrong):
				r.violate(c, i, "match %d is %v, although the states after frame %d differ", rec.number, o.Health, wrong)
			case r.plan.HashEvery < 0 && o.Health != session.Unverified:
				r.violate(c, i, "match %d is %v, although nothing was hashed", rec.number, o.Health)
			}
		}
	}
}

// told reports whether all machines must know of a difference: some seconds have passed since the next comparison, or
// no machine was gone before the end.
func (c healthChecker) told(r *referee, rec *matchRecord, o *session.Outcome, wrong int64) bool {
	if !r.leftEarly() && r.now < r.mayLose && o.Told {
		return true
	}
	every, rate := int64(r.plan.ChainEvery), int64(r.plan.TickRate)
	compared := (wrong/every + 1) * every
	return compared+rate*int64(r.plan.DropAfter/time.Second+5) < int64(o.Frames) && r.plan.OnLeave == session.End && r.now < r.mayLose
}
