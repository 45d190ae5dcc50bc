package fleet

import (
	"math/rand/v2"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// Membership means matches that go on while machines come and go. Every link loses datagrams, round
// trips take up to 250 ms, and machines leave, vanish, are kicked, join and come back, one or two at
// once, even while parts of the match do not hear each other.
const Membership = "membership"

// The random streams for members.
const (
	membersLuck  = 1 << 33
	continueLuck = 1 << 34
)

// continues makes half of the plans of more than two machines continue when machines leave. It uses its own
// random stream, so that it does not change what else a seed draws.
func (d *drawer) continues() {
	p, r := d.plan, d.r
	if len(p.Machines) > 2 && oneIn(r, 2) {
		p.OnLeave = session.Continue
	}
}

// memberLink draws a link of the profile Membership.
func memberLink(r *rand.Rand) (l netem.Link) {
	l.Loss = netem.PPM(1+r.IntN(20)) * netem.Percent
	l.Delay = between(r, 5*time.Millisecond, 110*time.Millisecond)
	if oneIn(r, 2) {
		l.Jitter, l.Distribution = between(r, time.Millisecond, 15*time.Millisecond), netem.Uniform
		l.Reorder = oneIn(r, 2)
	}
	if oneIn(r, 4) {
		l.Duplicate = netem.PPM(1+r.IntN(10)) * netem.Percent
	}
	return l
}

// memberLinks draws links that are all alike, or all different.
func (d *drawer) memberLinks() {
	p, r := d.plan, d.r
	p.Link = memberLink(r)
	if oneIn(r, 2) {
		d.eachWay(func() netem.Link { return memberLink(r) })
	}
}

// members draws which machines come and go in a plan of the profile Membership.
func (d *memberDrawer) members() {
	r := d.r
	d.rules()
	d.newcomers(5, 3*time.Second, max(d.length*3/4, 4*time.Second))
	for range 1 + r.IntN(4) {
		d.event()
	}
	d.seal()
}

// rules draws the settings that are the same for all machines of such a match.
func (d *memberDrawer) rules() {
	p, r := d.plan, d.r
	p.OnLeave, p.Matches = session.Continue, 1
	p.Frames = session.Frame(max(int64(d.length/time.Second)*int64(p.TickRate), 1))
	p.DropAfter = pick(r, 3*time.Second, 4*time.Second, 5*time.Second, 5*time.Second)
	p.QuorumTimeout = pick(r, 0, 3*time.Second, 6*time.Second)
	p.MaxPause = pick(r, 2*time.Second, 5*time.Second, 10*time.Second)
}

// newcomers makes each machine except for the first two join later, with probability 1/in.
func (d *memberDrawer) newcomers(in int, from, to time.Duration) {
	p, r := d.plan, d.r
	for i := 2; i < len(p.Machines); i++ {
		if oneIn(r, in) {
			m := &p.Machines[i]
			m.Joins, m.Late = true, between(r, from, to)
		}
	}
}

// seal adds other faults, and sorts all faults.
func (d *memberDrawer) seal() {
	r := d.r
	for range r.IntN(3) {
		d.add(pick(r, OneWay, Stall, Hitch, Detour, SetDelay, Talk))
	}
	d.sort()
}

// memberDrawer draws changes of the members of a match.
type memberDrawer struct{ *drawer }

// event adds one change, or two at about the same time.
func (d *memberDrawer) event() {
	at := between(d.r, 2*time.Second, max(d.length*4/5, 3*time.Second))
	d.change(at)
	if oneIn(d.r, 2) {
		d.change(at + between(d.r, 0, pick(d.r, time.Millisecond, 300*time.Millisecond, d.plan.DropAfter+time.Second)))
	}
}

// change adds a machine that leaves in one of several ways, and usually comes back; or a pause; or a partition.
func (d *memberDrawer) change(at time.Duration) {
	r, p := d.r, d.plan
	n := len(p.Machines)
	f := Fault{At: at, Machine: r.IntN(n)}
	switch f.Kind = pick(r, Leave, Leave, Kill, Kill, Kill, Kick, Kick, Pause, Partition, Stall, OneWay); f.Kind {
	case Kick:
		f.Machine = 1 + r.IntN(n-1)
	case Pause:
		f.For = between(r, 200*time.Millisecond, 8*time.Second)
	case Partition:
		f.Machine, f.Side, f.For = 0, uint16(1+r.IntN(1<<n-2)), d.span()
	case Stall:
		f.For = d.span()
	case OneWay:
		f.Other, f.For = (f.Machine+1+r.IntN(n-1))%n, d.span()
	}
	p.Faults = append(p.Faults, f)
	if f.Kind != Pause && f.Kind != OneWay && f.Kind != Partition && !oneIn(r, 3) {
		back := at + f.For + between(r, pick(r, 500*time.Millisecond, p.DropAfter+3*time.Second), 15*time.Second)
		p.Faults = append(p.Faults, Fault{Kind: Return, At: back, Machine: f.Machine})
	}
}

// span returns how long machines do not hear each other: long enough to lose each other, or almost.
func (d *memberDrawer) span() time.Duration {
	return between(d.r, d.plan.DropAfter/2, pick(d.r, d.plan.DropAfter, 2*d.plan.DropAfter, 4*d.plan.DropAfter))
}
