package fleet

import (
	"math/rand/v2"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Slow means matches on good links in which frames take time: half a tick period to two and a half on one machine or
// several, with bursts, and with phones that get hot. Nothing else goes wrong.
const Slow = "slow"

// slowLuck is the random stream of this profile.
const slowLuck = 1 << 38

// slow draws what the work of the machines costs, and links that give no reason to wait.
func (d *drawer) slow() {
	p, r := d.plan, d.r
	period := time.Second / time.Duration(p.TickRate)
	p.Matches, p.OnLeave = 1, session.End
	p.Frames = session.Frame(max(int64(d.length/period)/2, 1))
	p.Until = 6 * d.length
	p.MaxOrders = min(p.MaxOrders, 128) // longer ones would make a match wait for them
	p.Link = netem.Link{Delay: between(r, 2*time.Millisecond, 40*time.Millisecond)}
	if oneIn(r, 3) {
		p.Link.Jitter, p.Link.Distribution = between(r, time.Millisecond, 5*time.Millisecond), netem.Uniform
	}
	far := int((p.Link.Delay+2*p.Link.Jitter)/period) + 1
	for i := range p.Machines {
		m := &p.Machines[i]
		if m.AutoDelay, m.Late = false, m.Late/4; m.Window != 0 {
			m.Window = max(m.Window, 2*far+4)
		}
		m.Cost = Cost{Frame: period / 20, Again: period / 20}
	}
	slow := 1
	if oneIn(r, 3) {
		slow = 1 + r.IntN(len(p.Machines))
	}
	for _, i := range r.Perm(len(p.Machines))[:slow] {
		p.Machines[i].Cost = drawCost(r, period, d.length)
	}
	coverPath(p, period)
	if oneIn(r, 3) {
		p.Hosting = SpectatorHosting{Max: 4}
		for range 1 + r.IntN(3) {
			v := SpectatorPlan{Hosts: []int{r.IntN(len(p.Machines))}, Late: between(r, 0, 2*time.Second)}
			v.Cost.Frame = between(r, 0, period*8/10) // a spectator that cannot keep up falls behind for ever
			p.Spectators = append(p.Spectators, v)
		}
	}
}

// coverPath gives machines in lockstep a delay that covers the path of an input: the time until the sender has run its
// frame, the link, and the time until the receiver next looks at the network. Frames that arrive later than they are
// needed are not a machine's fault.
func coverPath(p *Plan, period time.Duration) {
	way := p.Link.Delay + 2*p.Link.Jitter + period
	if p.Framed {
		way += period
	}
	busy := time.Duration(0)
	for i := range p.Machines {
		c := &p.Machines[i].Cost
		busy = max(busy, c.slowed(c.Frame+c.Picture, MaxPlanTime))
	}
	for i := range p.Machines {
		if m := &p.Machines[i]; m.Window == 0 {
			m.Delay = min(int((way+busy)/period)+1, rollback.MaxDelay)
		}
	}
}

// drawCost draws what the work of a slow machine costs.
func drawCost(r *rand.Rand, period, length time.Duration) (c Cost) {
	c.Frame = between(r, period/2, period*5/2)
	switch r.IntN(3) {
	case 0: // drawing takes the time, and not the step
	case 1:
		c.Again = c.Frame / 2
	case 2:
		c.Again = c.Frame
	}
	if oneIn(r, 2) {
		c.Picture = between(r, 0, period/4)
	}
	if oneIn(r, 3) {
		c.Every, c.Burst = 100+r.IntN(500), between(r, 20*time.Millisecond, 150*time.Millisecond)
	}
	if oneIn(r, 4) {
		c.Throttled = between(r, 0, length/2)
	}
	return c
}
