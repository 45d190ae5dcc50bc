package hosted

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
)

// Ways is the profile in which each client has its own links: round trips of 20 to 250 ms, losses of up to 10 %, also in bursts,
// and jitter of up to 50 ms, which reorders datagrams. Each plan leaves out some of these.
const Ways = "ways"

// ProfileNames returns the profiles that a plan can be drawn from.
func ProfileNames() (names []string) {
	for _, p := range netem.Profiles() {
		names = append(names, p.Name)
	}
	return append(names, Ways, fleet.Slow)
}

// Rules are the properties of the game that drawing a plan depends on.
type Rules struct {
	Places, TickRate int
	// Sight says that the game has a Sight, so that half of the plans are Partial.
	Sight bool
}

// Draw makes the plan of a seed, on links of a profile ([ProfileNames], or fleet.All, which is Ways
// in half of the seeds), with this length if nothing goes wrong and the server is not started again. Half of the plans fill all places. Each plan has a few
// random kinds of faults, and half of them have spectators; those of fleet.Slow have neither.
//
// The error names what cannot be drawn.
func Draw(seed uint64, profile string, rules Rules, length time.Duration) (Plan, error) {
	if length < time.Second || length > fleet.MaxPlanTime/4 {
		return Plan{}, planError("a length of %v, must be %v to %v", length, time.Second, fleet.MaxPlanTime/4)
	}
	if rules.Places < 1 || rules.Places > MaxClients || rules.TickRate < 1 {
		return Plan{}, planError("%d places at %d ticks a second, must be 1 to %d and at least 1", rules.Places, rules.TickRate, MaxClients)
	}
	profile = strings.ToLower(profile)
	if names := ProfileNames(); profile == fleet.All {
		profile = Ways
		if seed%2 == 0 {
			profile = names[seed/2%uint64(len(names))]
		}
	}
	r := rand.New(rand.NewPCG(seed, 0x5E4D))
	p := Plan{Seed: seed, Profile: profile, Places: rules.Places, TickRate: rules.TickRate}
	p.Frames = max(Frame(int64(length/time.Millisecond)*int64(rules.TickRate)/1000), 1)
	p.DropAfter = pick(r, 5*time.Second, 5*time.Second, 2*time.Second, 8*time.Second)
	p.Partial = oneIn(r, 2) && rules.Sight
	if oneIn(r, 3) {
		p.States = max(1+r.IntN(rules.TickRate), (rules.TickRate+59)/60) // a server does not send fewer
	}
	clients := rules.Places
	if oneIn(r, 2) {
		clients = 1 + r.IntN(rules.Places)
	}
	link, err := linkMaker(r, profile)
	if err != nil {
		return Plan{}, err
	}
	p.drawClients(r, clients, length, link)
	if profile == fleet.Slow {
		p.drawSlow(r, length)
		return p, p.Validate()
	}
	p.drawFaults(r, length)
	if oneIn(r, 2) {
		p.drawSpectators(r, length, link)
	}
	p.drawRestarts(rand.New(rand.NewPCG(seed, restartsLuck)), length)
	luck := rand.New(rand.NewPCG(seed, strangersLuck))
	if link, err = linkMaker(luck, profile); err != nil {
		return Plan{}, err
	}
	p.drawStrangers(luck, length, link)
	return p, p.Validate()
}

func (p *Plan) drawClients(r *rand.Rand, n int, length time.Duration, link func() (up, down netem.Link)) {
	drift := oneIn(r, 2)
	for range n {
		c := Client{Comes: between(r, 0, 2*time.Second), PerTick: pick(r, 1, 2, 2, 2)}
		if oneIn(r, 4) {
			c.Comes = between(r, 0, length/2)
		}
		if drift {
			c.Drift = r.Int64N(400) - 200
		}
		c.Up, c.Down = link()
		p.Clients = append(p.Clients, c)
	}
}

func (p *Plan) drawSpectators(r *rand.Rand, length time.Duration, link func() (up, down netem.Link)) {
	p.Delay = min(pick(r, 0, 0, p.TickRate, 5*p.TickRate), maxDelay)
	for range 1 + r.IntN(3) {
		w := SpectatorPlan{Comes: between(r, 0, length/2)}
		w.Up, w.Down = link()
		p.Spectators = append(p.Spectators, w)
	}
}

// linkMaker returns a function that draws the links of one machine.
func linkMaker(r *rand.Rand, profile string) (func() (up, down netem.Link), error) {
	if profile == Ways {
		return drawWays(r), nil
	}
	if profile == fleet.Slow {
		return slowWays(r), nil
	}
	base, err := netem.ProfileNamed(profile)
	if err != nil {
		return nil, fmt.Errorf("%w (or %s, %s, %s)", err, Ways, fleet.Slow, fleet.All)
	}
	return func() (up, down netem.Link) {
		up, down = base.Link, base.Link
		up.Bandwidth, up.Queue, down.Bandwidth, down.Queue = 0, 0, 0, 0 // those are for one peer
		up.Delay = up.Delay * time.Duration(50+r.IntN(100)) / 100
		down.Delay = down.Delay * time.Duration(50+r.IntN(100)) / 100
		return up, down
	}, nil
}

// drawWays draws which impairments the links of a plan have.
func drawWays(r *rand.Rand) func() (up, down netem.Link) {
	loss, burst, jitter, reorder, duplicate := !oneIn(r, 4), oneIn(r, 3), !oneIn(r, 4), !oneIn(r, 3), oneIn(r, 3)
	return func() (up, down netem.Link) {
		trip := between(r, 20*time.Millisecond, 250*time.Millisecond)
		share := 30 + r.Int64N(41)
		up.Delay = (trip * time.Duration(share) / 100).Truncate(time.Millisecond)
		down.Delay = trip - up.Delay
		worst, shaky := netem.PPM(r.IntN(11))*netem.Percent, between(r, time.Millisecond, 50*time.Millisecond)
		for _, l := range []*netem.Link{&up, &down} {
			if loss {
				l.Loss = worst
			}
			if burst && oneIn(r, 2) {
				l.Burst = netem.Burst{
					Begin: netem.PPM(1+r.IntN(10)) * netem.Percent / 10,
					End:   netem.PPM(10+r.IntN(40)) * netem.Percent,
					Loss:  netem.PPM(50+r.IntN(51)) * netem.Percent,
				}
			}
			if jitter {
				l.Jitter, l.Distribution, l.Reorder = shaky, pick(r, netem.Exponential, netem.Exponential, netem.Uniform), reorder
			}
			if duplicate {
				l.Duplicate = netem.PPM(r.IntN(10)) * netem.Percent
			}
		}
		return up, down
	}
}

// pick returns one of the values at random.
func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// oneIn returns true in one of n cases.
func oneIn(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// between returns a random time from a to b.
func between(r *rand.Rand, a, b time.Duration) time.Duration {
	return (a + time.Duration(r.Int64N(int64(b-a)+1))).Truncate(time.Millisecond)
}
