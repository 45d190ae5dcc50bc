package fleet

import (
	"time"
)

// Arrivals means matches that half of the machines join or return to, while others leave, especially while a machine is
// joining.
const Arrivals = "arrivals"

// arrivalsLuck is the random stream of this profile.
const arrivalsLuck = 1 << 37

// arrivals draws which machines join and what happens during that, in a plan of the profile Arrivals.
func (d *memberDrawer) arrivals() {
	p, r := d.plan, d.r
	d.rules()
	d.newcomers(2, 500*time.Millisecond, max(d.length*2/3, 2*time.Second))
	var comings []time.Duration
	for i := range p.Machines {
		if m := &p.Machines[i]; m.Joins {
			comings = append(comings, m.Late)
		}
	}
	if len(comings) == 0 { // so that there is one, the second machine leaves and comes back
		gone := between(r, time.Second, max(d.length/3, 2*time.Second))
		back := gone + between(r, 200*time.Millisecond, p.DropAfter+3*time.Second)
		p.Faults = append(p.Faults, Fault{Kind: pick(r, Leave, Kill), At: gone, Machine: 1}, Fault{Kind: Return, At: back, Machine: 1})
		comings = append(comings, back)
	}
	for range 1 + r.IntN(3) {
		d.change(pick(r, comings...) + between(r, 0, pick(r, 300*time.Millisecond, 3*time.Second)))
	}
	if oneIn(r, 3) {
		d.event()
	}
	d.seal()
}
