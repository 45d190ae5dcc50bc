package fleet

import (
	"strings"

	"github.com/tickback/tickback/session"
)

// lossChecker: nobody is lost, or said to have left, but those who are gone and those
// who were silent for longer than DropAfter; and nobody is accused of breaking the
// protocol.
type lossChecker struct{ indifferent }

func (lossChecker) name() string { return "losses" }

func (c lossChecker) event(r *referee, machine int, e *session.Event) {
	if e.What != session.Lost && e.What != session.Left && e.What != session.Dropped || e.Players == 0 {
		return // nobody who plays, but a host of one who joins
	}
	if strings.Contains(e.Text, "control stream") || strings.Contains(e.Text, "an input") {
		r.violate(c, machine, "%v", e)
	}
	if r.isGone(e.Players) || r.isGone(r.machines[machine].players) || r.now >= r.mayLose || r.stretched(machine, e.Players) {
		return
	}
	r.violate(c, machine, "%v, and nobody was gone or silent for %v", e, r.plan.DropAfter)
}
