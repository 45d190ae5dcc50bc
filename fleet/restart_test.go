package fleet

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/session"
)

// Rule: a process that is killed, started again at its address, and joins, is in the match again within some seconds of its
// start, and plays to the end, whichever it is, and however long it was away.
func TestAProcessThatIsStartedAgainPlaysOn(t *testing.T) {
	for _, players := range few(2, 3, 8) {
		for _, away := range []time.Duration{0, 300 * time.Millisecond, 3 * time.Second} {
			for _, who := range []int{0, players - 1} {
				p := continuingPlan(players, 900, Fault{Kind: Restart, At: 3 * time.Second, For: away, Machine: who})
				res := playLedger(t, p)
				fine(t, p, res)
				back, other := &res.Machines[who], &res.Machines[(who+1)%players]
				at := slices.IndexFunc(back.Events, func(e session.Event) bool { return e.What == session.Joined })
				if at < 0 || back.Events[at].Frame > 360+session.Frame(away*60/time.Second) || len(back.Outcomes) != 1 {
					t.Errorf("%d players, machine %d away for %v: %v, %+v", players, who, away, back.Events, back.Outcomes)
				}
				told := slices.ContainsFunc(other.Events, func(e session.Event) bool { return e.What == session.Restarted })
				for _, e := range other.Events {
					told = told || e.What == session.Dropped // another one was asked
				}
				if !told {
					t.Errorf("%d players, machine %d away for %v: another one: %v", players, who, away, other.Events)
				}
			}
		}
	}
}

// Rule: a process that is started as it was originally has no part in the match of its predecessor: it ends with an error that
// says so, and the others go on, or end with an error that says which process was started again.
func TestAProcessThatHasForgottenTheMatch(t *testing.T) {
	for _, joins := range []bool{false, true} {
		p := continuingPlan(3, 900, Fault{Kind: Restart, At: 3 * time.Second, For: 300 * time.Millisecond, Machine: 1, Value: RestartAsBefore})
		if joins { // so that newcomers are let in
			p.Faults = append(p.Faults, Fault{Kind: Return, At: 12 * time.Second, Machine: 2})
		}
		res := playLedger(t, p)
		fine(t, p, res)
		var e *session.RestartedError
		if err := res.Machines[1].Err; !errors.As(err, &e) || !e.Playing || e.Joins != joins || len(res.Machines[0].Outcomes) != 1 {
			t.Errorf("joins %v: %v, %+v", joins, err, res.Machines[0].Outcomes)
		}
	}
	p := calmPlan(3, 900)
	p.Faults = []Fault{{Kind: Restart, At: 3 * time.Second, For: 300 * time.Millisecond, Machine: 1, Value: RestartAsBefore}}
	res := playLedger(t, p)
	fine(t, p, res)
	var e *session.RestartedError
	if err := res.Machines[1].Err; !errors.As(err, &e) || e.Joins {
		t.Errorf("%v", err)
	}
	for _, i := range []int{0, 2} {
		var lost *session.LostError
		if err := res.Machines[i].Err; !errors.As(err, &lost) || lost.Restarted != 2 {
			t.Errorf("machine %d: %v", i, err)
		}
	}
}

// Rule: the end of a restart only starts a process that the restart has killed.
func TestRestartsOfWhatDoesNotRun(t *testing.T) {
	const s = time.Second
	p := continuingPlan(4, 900,
		Fault{Kind: Leave, At: 2 * s, Machine: 1}, Fault{Kind: Restart, At: 3 * s, For: s, Machine: 1},
		Fault{Kind: Restart, At: 3 * s, For: 5 * s, Machine: 2}, Fault{Kind: Return, At: 6 * s, Machine: 2},
		Fault{Kind: Restart, At: 30 * s, Machine: 3})
	res := playLedger(t, p)
	fine(t, p, res)
	if m := res.Machines; m[1].Gone != "left" || len(m[2].Outcomes) != 1 || len(m[3].Outcomes) != 1 || len(m[0].Outcomes) != 1 {
		t.Errorf("%+v", res.Machines)
	}
	for _, e := range res.Machines[0].Events {
		if e.What == session.Restarted {
			t.Errorf("%v", res.Machines[0].Events)
		}
	}
}
