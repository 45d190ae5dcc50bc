package fleet

import (
	"testing"

	"github.com/tickback/tickback/session"
)

// closed is a session that is over for a reason, with an outcome.
type closed struct {
	fake
	err error
	end session.Outcome
}

func (o *closed) Err() error                       { return o.err }
func (o *closed) Outcome() (session.Outcome, bool) { return o.end, true }

// Only a session that may have been left behind has an end that is not agreed. A machine that
// has another session by the end of the run, because it came back, was left behind.
func TestAnEndThatIsNotAgreedNeedsAReason(t *testing.T) {
	for _, c := range []struct {
		what string
		err  error
		bad  bool
	}{
		{"no majority", &session.QuorumError{}, false},
		{"out of the match", &session.RemovedError{}, false},
		{"closed", session.ErrClosed, true},
		{"nothing", nil, true},
	} {
		p := calmPlan(3, 60)
		r := newReferee(&p)
		r.mayLose = -1 // and so the match may end early
		for _, m := range r.machines {
			m.live, m.gone = &fake{phase: session.Over}, through
		}
		o := &closed{fake{phase: session.Over}, c.err, session.Outcome{Match: 1, Unagreed: true}}
		r.machines[1].live = o
		r.event(1, &session.Event{What: session.Ended, Match: 1})
		o.err = session.ErrClosed // it has come back, and left
		r.end()
		if bad := len(r.violations) > 0 && r.violations[0].Checker == "ends"; bad != c.bad {
			t.Errorf("%s: %v", c.what, r.violations)
		}
	}
}

// With End, a machine that is told of its removal was given up by another one, or by one that
// left itself and may have decided it.
func TestWhoIsOutIsGoneForOthers(t *testing.T) {
	for _, c := range []struct {
		what string
		tell session.What
		dead bool
		bad  bool
	}{
		{what: "nobody has told", bad: true},
		{what: "it was silent for a time", tell: session.Silent, bad: true},
		{what: "lost", tell: session.Lost},
		{what: "left", tell: session.Left},
		{what: "another one is dead", dead: true},
	} {
		p := calmPlan(3, 60)
		r := newReferee(&p)
		for _, m := range r.machines {
			m.live, m.match = &fake{phase: session.Over}, 1
		}
		r.machines[1].live = &closed{fake{phase: session.Over}, &session.RemovedError{}, session.Outcome{}}
		r.machines[2].dead = c.dead
		if c.tell != 0 {
			membershipChecker{}.event(r, 0, &session.Event{What: c.tell, Players: r.machines[1].players})
		}
		membershipChecker{}.end(r)
		if bad := len(r.violations) > 0; bad != c.bad {
			t.Errorf("%s: %v", c.what, r.violations)
		}
	}
}

// A machine that plays may stand still for as long as it waits for a majority, and no longer.
func TestWhoLacksAMajorityDoesNotPlayOn(t *testing.T) {
	for _, frozen := range []bool{false, true} {
		p := calmPlan(3, 60)
		r := newReferee(&p)
		for _, m := range r.machines {
			m.dead = true
		}
		m := r.machines[1]
		m.live, m.dead, m.frozen = &fake{phase: session.Playing}, false, frozen
		m.phase, m.stats.Phase = session.Playing, session.Playing
		r.mayLose = 0
		limit := r.within + p.DropAfter
		if frozen {
			limit = r.noticed() + p.quorumTimeout()*12/10
		}
		r.now = limit
		if (progressChecker{}).look(r); len(r.violations) > 0 {
			t.Errorf("frozen %v, at %v: %v", frozen, r.now, r.violations)
		}
		r.now++
		if (progressChecker{}).look(r); len(r.violations) == 0 {
			t.Errorf("frozen %v: it plays at %v", frozen, r.now)
		}
	}
}
