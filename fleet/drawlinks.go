package fleet

import (
	"math/rand/v2"
	"time"

	"github.com/tickback/tickback/netem"
)

// links draws the links between the machines.
func (d *drawer) links(profile string) error {
	p, r := d.plan, d.r
	if profile == Swarm {
		s := newImpairments(r, p.TickRate)
		p.Link = s.draw(r)
		d.eachWay(func() netem.Link { return s.draw(r) })
		return nil
	}
	switch profile {
	case Membership, Arrivals:
		d.memberLinks()
		return nil
	case Boundary:
		return d.boundaryLinks()
	}
	base, err := netem.ProfileNamed(profile)
	if err != nil {
		return err
	}
	p.Link = base.Link
	if oneIn(r, 2) {
		return nil
	}
	// Delays as in the profile on average, but different in each direction.
	d.eachWay(func() netem.Link {
		base.Link.Delay = p.Link.Delay * time.Duration(50+r.IntN(100)) / 100
		return base.Link
	})
	return nil
}

// eachWay draws a link from each machine to each other one.
func (d *drawer) eachWay(draw func() netem.Link) {
	p := d.plan
	for from := range p.Machines {
		for to := range p.Machines {
			if from != to {
				p.Links = append(p.Links, Way{From: from, To: to, Link: draw()})
			}
		}
	}
}

// impairments are the kinds of impairment that the links of one plan can have.
type impairments struct {
	far                                                         time.Duration // the longest delay
	loss, burst, jitter, reorder, duplicate, corrupt, bandwidth bool
	rate                                                        int
}

func newImpairments(r *rand.Rand, rate int) impairments {
	coin := func() bool { return oneIn(r, 2) }
	return impairments{
		far:  time.Duration(pick(r, 10, 60, 60, 150)) * time.Millisecond,
		loss: coin(), burst: coin(), jitter: coin(), reorder: coin(), duplicate: coin(), corrupt: coin(), bandwidth: oneIn(r, 4),
		rate: rate,
	}
}

// draw makes one link.
func (s *impairments) draw(r *rand.Rand) (l netem.Link) {
	l.Delay = between(r, 0, s.far)
	if s.loss {
		l.Loss = netem.PPM(r.IntN(20)) * netem.Percent
	}
	if s.burst && oneIn(r, 2) {
		l.Burst = netem.Burst{
			Begin: netem.PPM(1+r.IntN(20)) * netem.Percent / 10,
			End:   netem.PPM(10+r.IntN(40)) * netem.Percent,
			Loss:  netem.PPM(30+r.IntN(71)) * netem.Percent,
		}
	}
	if s.jitter {
		l.Jitter = between(r, time.Millisecond, 30*time.Millisecond)
		l.Distribution = pick(r, netem.Uniform, netem.Normal, netem.Exponential)
		l.Reorder = s.reorder
	}
	if s.duplicate {
		l.Duplicate = netem.PPM(r.IntN(15)) * netem.Percent
	}
	if s.corrupt {
		l.Corrupt = netem.PPM(r.IntN(5)) * netem.Percent
	}
	if s.bandwidth {
		// From barely enough for the datagrams of play to plenty.
		l.Bandwidth = int64(s.rate) * int64(150+r.IntN(1000))
		l.Overhead = netem.OverheadIPv4
	}
	return l
}
