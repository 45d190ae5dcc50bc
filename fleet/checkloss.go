package fleet

import (
	"strings"

	"github.com/tickback/tickback/session"
)

// lossChecker checks that only machines that are gone, or were silent for longer than DropAfter, are reported as lost
// or left, and that no machine is accused of breaking the protocol.
type lossChecker struct{ noCheck }

func (lossChecker) name() string { return "losses" }

func (c lossChecker) event(r *referee, machine int, e *session.Event) {
	if e.What != session.Lost && e.What != session.Left && e.What != session.Dropped || e.Players == 0 {
		return // the host of a machine that joins, not a player
	}
	if strings.Contains(e.Text, "control stream") || strings.Contains(e.Text, "an input") {
		r.violate(c, machine, "%v", e)
	}
	if r.isGone(e.Players) || r.isGone(r.machines[machine].players) || r.now >= r.mayLose || r.stretched(machine, e.Players) {
		return
	}
	r.violate(c, machine, "%v, although no machine was gone or silent for %v", e, r.plan.DropAfter)
}
