package hosted

import (
	"math/rand/v2"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
)

// drawSlow draws what the work of clients costs, and nothing else that goes wrong: on one client or several, a tick
// takes a quarter of its period to two and a half periods, with bursts, and with phones that get hot.
func (p *Plan) drawSlow(r *rand.Rand, length time.Duration) {
	period := time.Second / time.Duration(p.TickRate)
	little := fleet.Cost{Frame: time.Microsecond}
	p.Cost, p.States = little, 0
	slow := 1
	if oneIn(r, 3) {
		slow = 1 + r.IntN(len(p.Clients))
	}
	for i := range p.Clients {
		c := &p.Clients[i]
		c.Drift, c.Comes, c.Cost = 0, min(c.Comes, 2*time.Second), little
		if i < slow {
			c.Cost = drawCost(r, period, length)
		}
	}
}

// longestTick is the maximum time of a drawn tick, on a machine that is not hot. At a few ticks a second, two and a
// half periods would be longer than the silence after which a client is lost, and a game that responds so late would
// not be playable.
const longestTick = 150 * time.Millisecond

// drawCost draws what the work of a slow client costs.
func drawCost(r *rand.Rand, period, length time.Duration) (c fleet.Cost) {
	c.Frame = min(between(r, period/4, period*5/2), longestTick)
	c.Again = pick(r, c.Frame/2, c.Frame, c.Frame)
	if oneIn(r, 3) {
		c.Picture = between(r, 0, period/4)
	}
	if oneIn(r, 4) {
		c.Every, c.Burst = 100+r.IntN(500), between(r, 20*time.Millisecond, 150*time.Millisecond)
	}
	if oneIn(r, 4) {
		c.Throttled = between(r, 0, length/2)
	}
	return c
}

// slowWays returns a function that draws links that give no reason to wait.
func slowWays(r *rand.Rand) func() (up, down netem.Link) {
	return func() (up, down netem.Link) {
		l := netem.Link{Delay: between(r, 2*time.Millisecond, 50*time.Millisecond)}
		if oneIn(r, 3) {
			l.Jitter, l.Distribution = between(r, time.Millisecond, 5*time.Millisecond), netem.Uniform
		}
		return l, l
	}
}
