package fleet

import (
	"time"

	"github.com/tickback/tickback/netem"
)

// spectators draws the spectators: half of the plans have none. It uses its own random stream, so that a seed has
// the same players with and without spectators.
func (d *drawer) spectators() {
	p, r := d.plan, d.r
	if oneIn(r, 2) {
		return
	}
	p.Hosting = SpectatorHosting{Max: pick(r, 1, 2, 4, 8, 16, MaxSpectators)}
	if oneIn(r, 3) {
		p.Hosting.Delay = 1 + r.IntN(pick(r, 30, 180, 600))
	}
	if oneIn(r, 3) {
		p.Hosting.Rate = pick(r, 12_000, 50_000, 200_000, 1<<22)
	}
	s := newImpairments(r, p.TickRate)
	s.bandwidth = oneIn(r, 3)
	for range r.IntN(5) {
		d.spectator(&s)
	}
	if oneIn(r, 3) {
		return // nothing goes wrong for the spectators
	}
	for i := range p.Spectators {
		d.applySpectatorFault(len(p.Machines)+i, p.Spectators[i].Hosts)
	}
	d.sort()
}

// spectator draws a spectator, and the links between it and its hosts.
func (d *drawer) spectator(s *impairments) {
	p, r := d.plan, d.r
	v := SpectatorPlan{Hosts: r.Perm(len(p.Machines))[:1+r.IntN(len(p.Machines))]}
	switch r.IntN(4) {
	case 0:
		v.Late = between(r, 0, 2*time.Second)
	case 1, 2:
		v.Late = between(r, 0, d.length)
	}
	if oneIn(r, 3) {
		v.Drift = r.Int64N(1000) - 500
	}
	if oneIn(r, 3) {
		v.Delay = pick(r, 1, 3, 6, 30, 120)
	}
	if oneIn(r, 3) {
		v.CatchUp = pick(r, 2, 3, 16, 60)
	}
	me := len(p.Machines) + len(p.Spectators)
	p.Spectators = append(p.Spectators, v)
	for _, h := range v.Hosts {
		there, back := s.draw(r), s.draw(r)
		if s.bandwidth {
			there.Bandwidth = int64(pick(r, 3000, 10_000, 30_000, 100_000, 1<<20))
		}
		back.Bandwidth = 0
		p.Links = append(p.Links, Way{From: h, To: me, Link: there}, Way{From: me, To: h, Link: back})
	}
}

// applySpectatorFault draws the faults of a spectator.
func (d *drawer) applySpectatorFault(me int, hosts []int) {
	r := d.r
	for range r.IntN(4) {
		f := Fault{At: between(r, 0, d.length), Machine: me, For: between(r, 20*time.Millisecond, pick(r, 300*time.Millisecond, 3*time.Second, 8*time.Second))}
		switch f.Kind = pick(r, OneWay, OneWay, Stall, Hitch, Detour, Move); f.Kind {
		case OneWay:
			if f.Other = hosts[r.IntN(len(hosts))]; oneIn(r, 2) {
				f.Machine, f.Other = f.Other, f.Machine
			}
		case Detour:
			f.Value = 10 + r.IntN(150)
		case Move:
			f.For = 0
		}
		d.plan.Faults = append(d.plan.Faults, f)
	}
	if oneIn(r, 6) {
		d.plan.Faults = append(d.plan.Faults, Fault{Kind: pick(r, Leave, Kill), At: between(r, 0, d.length), Machine: me})
	}
}

// plainWay reports whether a link delivers what a spectator needs, no matter how long that takes.
func plainWay(l netem.Link) bool {
	return !l.Down && l.Loss <= 20*netem.Percent && l.Burst.Begin == 0 && l.Corrupt <= 5*netem.Percent && l.Bandwidth == 0
}
