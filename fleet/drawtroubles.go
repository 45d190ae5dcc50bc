package fleet

import (
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/wire/datagram"
)

// troublesLuck is the random stream of these faults, so that they do not change what else a seed
// draws.
const troublesLuck = 1 << 35

// troubles draws suspended machines, clocks that jump, repeated datagrams, and faults that coincide in one frame,
// each for about a third of the plans.
func (d *drawer) troubles() {
	p, r := d.plan, d.r
	if oneIn(r, 3) {
		for range 1 + r.IntN(2) {
			d.again()
		}
	}
	if oneIn(r, 3) {
		d.stops()
	}
	if oneIn(r, 3) {
		d.jumps()
	}
	if p.continues() && oneIn(r, 3) {
		d.crashes()
	}
	if oneIn(r, 3) {
		d.meet()
	}
	if oneIn(r, 12) {
		d.moveTogether()
	}
	if oneIn(r, 4) {
		// Two thirds of them are too small for the largest datagram, drawn for each direction separately.
		p.Link.MTU = leastMTU + r.IntN(1000)
		for i := range p.Links {
			p.Links[i].Link.MTU = leastMTU + r.IntN(1000)
		}
	}
	d.sort()
}

// leastMTU is the smallest MTU, with the headers of IP and UDP, over which a session works.
const leastMTU = datagram.MinSize + netem.OverheadIPv4

// again adds an echo or a replay.
func (d *drawer) again() {
	r := d.r
	f := Fault{Kind: Echo, At: between(r, 0, d.length), Machine: r.IntN(len(d.plan.Machines)), For: between(r, 20*time.Millisecond, 3*time.Second)}
	if oneIn(r, 2) {
		f.Kind, f.Value = Replay, r.IntN(4)
	}
	d.put(f)
}

// stops suspends some machines, or all: usually too briefly for any to be lost.
func (d *drawer) stops() {
	r, p := d.r, d.plan
	f := Fault{Kind: Suspend, At: between(r, 0, d.length), Side: uint16(1 << r.IntN(len(p.Machines)))}
	switch {
	case oneIn(r, 2):
		f.Side = uint16(1<<len(p.Machines) - 1)
	case oneIn(r, 2):
		f.Side = uint16(1 + r.IntN(1<<len(p.Machines)-1))
	}
	if f.For = between(r, 500*time.Millisecond, max(p.DropAfter-p.network().margin()-200*time.Millisecond, time.Second)); oneIn(r, 4) {
		f.For = between(r, 500*time.Millisecond, 20*time.Second)
	}
	d.put(f)
}

// jumps moves a clock, usually by a little.
func (d *drawer) jumps() {
	r, p := d.r, d.plan
	far := pick(r, 20*time.Millisecond, 300*time.Millisecond, max(p.DropAfter-p.network().margin()-200*time.Millisecond, 100*time.Millisecond))
	if oneIn(r, 8) {
		far = 20 * time.Second
	}
	ms := int(between(r, 0, far) / time.Millisecond)
	if oneIn(r, 2) {
		ms = -ms
	}
	d.put(Fault{Kind: Clock, At: between(r, 0, d.length), Machine: r.IntN(len(p.Machines)), Value: ms})
}

// crashes kills a machine while the log is busy with another fault of the plan.
func (d *drawer) crashes() {
	r, p := d.r, d.plan
	f := Fault{Kind: Crash, At: between(r, 2*time.Second, max(d.length, 3*time.Second)), Machine: r.IntN(len(p.Machines)), Value: r.IntN(2 * len(p.Machines))}
	for _, c := range p.Faults {
		if c.Kind == Leave || c.Kind == Kill || c.Kind == Kick || c.Kind == Pause || c.Kind == Return {
			f.At = c.At // this may be the first of them, a later one, or the last
			if oneIn(r, 2) {
				break
			}
		}
	}
	f.For = between(r, 100*time.Millisecond, p.DropAfter+3*time.Second)
	if oneIn(r, 3) {
		f.Machine = 0
	}
	d.put(f)
	if oneIn(r, 2) && p.invites() {
		d.put(Fault{Kind: Return, At: f.At + f.For + between(r, 0, 10*time.Second), Machine: f.Machine})
	}
}

// meet makes two faults begin in one frame, or one begin as another ends.
func (d *drawer) meet() {
	r, faults := d.r, d.plan.Faults
	if len(faults) < 2 {
		return
	}
	a, b := r.IntN(len(faults)), r.IntN(len(faults))
	if a == b || faults[a].Kind == Desync || faults[b].Kind == Desync || faults[b].Kind == Return || faults[a].Match+faults[b].Match > 0 {
		return
	}
	faults[b].At = faults[a].At
	if oneIn(r, 3) {
		faults[b].At += faults[a].For
	}
	faults[b].At += between(r, 0, pick(r, 0, 16*time.Millisecond))
}

// moveTogether gives two machines other addresses at about the same time.
func (d *drawer) moveTogether() {
	r, n := d.r, len(d.plan.Machines)
	at, first := between(r, time.Second, max(d.length, 2*time.Second)), r.IntN(n)
	d.put(Fault{Kind: Move, At: at, Machine: first})
	d.put(Fault{Kind: Move, At: at + between(r, 0, pick(r, 0, 50*time.Millisecond, time.Second)), Machine: (first + 1 + r.IntN(n-1)) % n})
}
