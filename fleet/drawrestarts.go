package fleet

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"
)

// restartsLuck is the random stream of restarts, so that they do not change what else a seed draws.
const restartsLuck = 1 << 40

// drawRestarts kills and restarts one or two machines, in a third of the plans in which the others go on, and in one in
// ten of those in which that ends the match. Plans with a desync have no restarts: a machine that returns might get the
// state of the machine that has diverged.
func drawRestarts(p *Plan, r *rand.Rand, length time.Duration) {
	d := faultDrawer{plan: p, r: r, length: length}
	broken, _ := p.diverges()
	switch {
	case broken >= 0:
	case !p.continues() && oneIn(r, 10):
		d.restarts(RestartAsBefore)
	case p.continues() && oneIn(r, 3):
		for range 1 + r.IntN(2) {
			d.restarts(pick(r, 0, 0, 0, RestartAsBefore))
		}
	}
	slices.SortStableFunc(p.Faults, func(a, b Fault) int { return cmp.Compare(a.At, b.At) })
}

// restarts adds a restart, usually of a process that is back before the others have given it up.
func (d *faultDrawer) restarts(how int) {
	r := d.r
	away := between(r, 0, pick(r, 100*time.Millisecond, time.Second, d.plan.DropAfter, d.plan.DropAfter+3*time.Second))
	d.put(Fault{Kind: Restart, At: between(r, time.Second, max(d.length*4/5, 2*time.Second)), For: away, Machine: r.IntN(len(d.plan.Machines)), Value: how})
}
