package fleet

import (
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// Boundary means short matches, mostly with rematches, in which faults happen around the first and
// the last frames of a match, in the lobby, at a rematch, and at both ends of an interruption.
const Boundary = "boundary"

// boundaryLuck is the random stream of this profile.
const boundaryLuck = 1 << 36

// edge is the maximum time between a fault and a boundary.
const edge = 300 * time.Millisecond

// draw draws the plan of a seed, except for its machines.
func (d *boundaryDrawer) draw() {
	p, r := d.plan, d.r
	p.OnLeave = pick(r, session.End, session.Continue)
	p.QuorumTimeout, p.MaxPause = pick(r, 0, 3*time.Second), pick(r, 2*time.Second, 5*time.Second)
	p.DropAfter = pick(r, 3*time.Second, 4*time.Second, 5*time.Second)
	p.Matches = 1 + r.IntN(3)
	d.each = between(r, time.Second, max(min(d.length/2, 6*time.Second), time.Second))
	p.Frames = session.Frame(max(int64(d.each/time.Millisecond)*int64(p.TickRate)/1000, 1))
	p.Rest = pick(r, 0, between(r, 50*time.Millisecond, 2*time.Second))
	p.Until = 2*time.Duration(p.Matches)*(d.each+p.Rest) + 5*time.Second
	for range 1 + r.IntN(3) {
		if oneIn(r, 3) {
			d.ends()
		} else {
			d.happens(d.moment())
		}
	}
	if oneIn(r, 4) { // two faults at the same time
		at := d.moment()
		d.happens(at)
		d.happens(at)
	}
}

// boundaryLinks draws links of any of the other profiles.
func (d *drawer) boundaryLinks() error {
	names := []string{Swarm, Membership}
	for _, n := range netem.Profiles() {
		names = append(names, n.Name)
	}
	return d.links(pick(d.r, names...))
}

type boundaryDrawer struct {
	*drawer
	each time.Duration // the length of a match
	gone int           // machines that the plan removes
}

// moment returns a time close to a boundary, as a fault without a kind.
func (d *boundaryDrawer) moment() Fault {
	r, p := d.r, d.plan
	frames := int(edge * time.Duration(p.TickRate) / time.Second)
	f := Fault{Match: 1 + r.IntN(p.Matches)}
	switch r.IntN(6) {
	case 0, 1: // before the last frame
		f.Frame = -r.IntN(frames + 1)
	case 2: // just after it
		f.At = between(r, 0, edge)
	case 3: // in the lobby
		f.At = between(r, 0, p.Rest+edge)
	case 4: // as the match begins
		f.Frame, f.At = 1, between(r, 0, edge)
	case 5: // as the run begins
		f = Fault{At: between(r, 0, 1500*time.Millisecond)}
	}
	return f
}

// happens adds a fault of a random kind at a time.
func (d *boundaryDrawer) happens(at Fault) {
	r, p, n := d.r, d.plan, len(d.plan.Machines)
	f := at
	f.Machine, f.For = r.IntN(n), d.lasting()
	switch f.Kind = pick(r, Leave, Kill, Kick, Crash, Pause, Partition, OneWay, Stall, Hitch, Suspend, Detour, Move, Clock, Echo, Replay, SetDelay, Talk); f.Kind {
	case Leave, Kill, Kick:
		f.For = 0
		if d.gone++; d.gone > 2 {
			return
		}
		if f.Kind == Kick {
			f.Machine = 1 + r.IntN(n-1)
		}
	case Crash:
		f.Value = r.IntN(2 * n)
	case Partition:
		f.Machine, f.Side = 0, uint16(1+r.IntN(1<<n-2))
	case Suspend:
		f.Machine, f.Side = 0, pick(r, uint16(1<<n-1), uint16(1+r.IntN(1<<n-1)))
	case OneWay:
		f.Other = (f.Machine + 1 + r.IntN(n-1)) % n
	case Detour:
		f.Value = 10 + r.IntN(150)
	case Clock:
		f.For, f.Value = 0, r.IntN(20_000)-10_000
	case Replay:
		f.Value = r.IntN(4)
	case SetDelay, Move:
		f.For = 0
		f.Value = r.IntN(12) * btoi(f.Kind == SetDelay)
	case Talk:
		f.For, f.Value = 0, 1+r.IntN(5000)
	}
	d.put(f)
	if p.continues() && (f.Kind == Leave || f.Kind == Kill || f.Kind == Kick) && oneIn(r, 3) {
		f.Kind = Return
		f.At += between(r, 0, 2*p.DropAfter)
		d.put(f)
	}
}

// lasting returns how long a fault lasts: for a moment, for almost long enough to lose machines, or for longer.
func (d *boundaryDrawer) lasting() time.Duration {
	r, drop := d.r, d.plan.DropAfter
	return between(r, 20*time.Millisecond, pick(r, edge, drop/2, drop, drop+2*time.Second))
}

// ends adds an interruption, and often something at its beginning and at its end.
func (d *boundaryDrawer) ends() {
	r, p := d.r, d.plan
	f := d.moment()
	f.At += edge
	f.Kind, f.Machine, f.For = pick(r, Partition, OneWay, Stall, Hitch, Suspend), r.IntN(len(p.Machines)), d.lasting()
	f.Side = uint16(1 + r.IntN(1<<len(p.Machines)-2))
	f.Other = (f.Machine + 1) % len(p.Machines)
	if f.Kind == Partition || f.Kind == Suspend {
		f.Machine = 0
	}
	if f.Kind != Partition && f.Kind != Suspend {
		f.Side = 0
	}
	if f.Kind != OneWay {
		f.Other = 0
	}
	d.put(f)
	for _, at := range []time.Duration{f.At, f.At + f.For} {
		if oneIn(r, 4) {
			continue
		}
		d.happens(Fault{Match: f.Match, Frame: f.Frame, At: at - edge + between(r, 0, 2*edge)})
	}
}
