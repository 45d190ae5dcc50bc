package fleet

import (
	"time"
)

// restartsLuck is the random stream of restarts, so that they do not change what else a seed draws.
const restartsLuck = 1 << 40

// restarts kills and restarts one or two machines, in a third of the plans in which the others go on, and in one in
// ten of those in which that ends the match. Plans with a desync have no restarts: a machine that returns might get the
// state of the machine that has diverged.
func (d *drawer) restarts() {
	p, r := d.plan, d.r
	broken, _ := p.diverges()
	switch {
	case broken >= 0:
	case !p.continues() && oneIn(r, 10):
		d.restart(RestartAsBefore)
	case p.continues() && oneIn(r, 3):
		for range 1 + r.IntN(2) {
			d.restart(pick(r, 0, 0, 0, RestartAsBefore))
		}
	}
	d.sort()
}

// restart adds a restart, usually of a process that is back before the others have given it up.
func (d *drawer) restart(how int) {
	r := d.r
	away := between(r, 0, pick(r, 100*time.Millisecond, time.Second, d.plan.DropAfter, d.plan.DropAfter+3*time.Second))
	d.put(Fault{Kind: Restart, At: between(r, time.Second, max(d.length*4/5, 2*time.Second)), For: away, Machine: r.IntN(len(d.plan.Machines)), Value: how})
}
