package fleet

import (
	"slices"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// DefaultShrinks is the default of the maximum number of runs in a search for a smaller plan.
const DefaultShrinks = 400

// Shrink looks for a smaller plan that still fails: with fewer faults, machines and matches, plainer links,
// and shorter. fails plays a plan, and reports whether it fails in the same way ([SameFailure]). It is
// called at most most times, and not for the given plan. The result is the smallest plan found.
func Shrink(p Plan, most int, fails func(Plan) bool) Plan {
	s := &shrinker{Reducer[Plan]{Best: p.Clone(), Left: most, Clone: (*Plan).Clone, Equal: (*Plan).Equal, Valid: (*Plan).Validate, Fails: fails}}
	for {
		before := s.Best.Clone()
		s.watchers()
		s.faults()
		s.machines()
		s.links()
		s.settings()
		s.lengths()
		if s.Left <= 0 || s.Best.Equal(&before) {
			return s.Best
		}
	}
}

// SameFailure returns a function for [Shrink]: a plan fails if the checker with this name finds the first
// violation.
func SameFailure(checker string, play func(Plan) (Result, error)) func(Plan) bool {
	return func(p Plan) bool {
		res, err := play(p)
		return err == nil && !res.OK() && res.Violations[0].Checker == checker
	}
}

type shrinker struct{ Reducer[Plan] }

// faults removes faults: all, halves, quarters, ... and then one by one.
func (s *shrinker) faults() {
	s.Remove(func(p *Plan) int { return len(p.Faults) }, func(p *Plan, from, end int) { p.Faults = slices.Delete(p.Faults, from, end) })
	for i := range s.Best.Faults {
		for s.Best.Faults[i].For > 100*time.Millisecond &&
			s.Try(func(p *Plan) { p.Faults[i].For = (p.Faults[i].For / 2).Truncate(time.Millisecond) }) {
		}
		for v := s.Best.Faults[i].Value; (v > 1 || v < -1) && s.Try(func(p *Plan) { p.Faults[i].Value /= 2 }); v = s.Best.Faults[i].Value {
		}
		if s.Best.Faults[i].Match > 0 {
			s.Try(func(p *Plan) { p.Faults[i].At, p.Faults[i].Frame = 0, 0 })
		}
		for side := s.Best.Faults[i].Side; side != 0; side &= side - 1 {
			s.Try(func(p *Plan) { p.Faults[i].Side &^= side & -side })
		}
	}
}

// machines removes machines, and players from machines that have several.
func (s *shrinker) machines() {
	for i := len(s.Best.Machines) - 1; i >= 0; i-- {
		s.Try(func(p *Plan) { p.remove(i) })
	}
	for i := range s.Best.Machines {
		for s.Best.Machines[i].Players.Len() > 1 && s.Try(func(p *Plan) {
			m := &p.Machines[i]
			m.Players &= m.Players - 1
			p.renumber()
		}) {
		}
	}
}

// watchers removes spectators, and resets the settings of the others.
func (s *shrinker) watchers() {
	s.Try(func(p *Plan) { *p = p.Unwatched() })
	for i := len(s.Best.Spectators) - 1; i >= 0; i-- {
		s.Try(func(p *Plan) { p.removeSpectator(i) })
	}
	if len(s.Best.Spectators) == 0 {
		s.Try(func(p *Plan) { p.Hosting = SpectatorHosting{} })
	}
	s.Try(func(p *Plan) {
		p.Hosting.Guarded = false
		for i := range p.Spectators {
			p.Spectators[i].Stranger = ""
		}
	})
	s.Try(func(p *Plan) { p.Hosting.Rate = 0 })
	s.Try(func(p *Plan) { p.Hosting.Delay = 0 })
	for i := range s.Best.Spectators {
		for len(s.Best.Spectators[i].Hosts) > 1 && s.Try(func(p *Plan) {
			v := &p.Spectators[i]
			v.Hosts = v.Hosts[:len(v.Hosts)-1]
		}) {
		}
		s.Try(func(p *Plan) { p.Spectators[i].Delay, p.Spectators[i].CatchUp = 0, 0 })
		s.Try(func(p *Plan) { p.Spectators[i].Drift = 0 })
		s.Try(func(p *Plan) { p.Spectators[i].Late = 0 })
		s.Try(func(p *Plan) { p.Spectators[i].Cost = Cost{} })
		s.Try(func(p *Plan) { p.Spectators[i].Stranger = "" })
	}
}

// remove removes a player's machine from a plan, with everything about it.
func (p *Plan) remove(machine int) {
	p.forget(machine)
	p.Machines = slices.Delete(p.Machines, machine, machine+1)
	p.renumber()
	for i := range p.Spectators {
		hosts := p.Spectators[i].Hosts[:0]
		for _, h := range p.Spectators[i].Hosts {
			if h != machine {
				hosts = append(hosts, h-btoi(h > machine))
			}
		}
		p.Spectators[i].Hosts = hosts
	}
}

// forget removes the links and faults of a machine, and renumbers the machines after it.
func (p *Plan) forget(machine int) {
	shift := func(i *int) bool {
		if *i == machine {
			return false
		}
		if *i > machine {
			*i--
		}
		return true
	}
	links := p.Links[:0]
	for _, w := range p.Links {
		if shift(&w.From) && shift(&w.To) {
			links = append(links, w)
		}
	}
	faults := p.Faults[:0]
	for _, f := range p.Faults {
		if !p.watches(machine) {
			low := uint16(1)<<machine - 1
			f.Side = f.Side&low | f.Side>>1&^low
		}
		if shift(&f.Machine) && shift(&f.Other) {
			faults = append(faults, f)
		} else if f.Kind == Partition {
			f.Machine, f.Other = 0, 0
			faults = append(faults, f)
		}
	}
	p.Links, p.Faults = links, faults
}

// renumber numbers the players of the machines in order.
func (p *Plan) renumber() {
	next := 0
	for i := range p.Machines {
		n := p.Machines[i].Players.Len()
		p.Machines[i].Players = rollback.PlayerSet((1<<n - 1) << next)
		next += n
	}
}

// links makes the links equal, and then plainer.
func (s *shrinker) links() {
	s.Try(func(p *Plan) { p.Links = nil })
	s.Try(func(p *Plan) { p.Link, p.Links = netem.Link{Delay: 20 * time.Millisecond}, nil })
	for i := len(s.Best.Links) - 1; i >= 0; i-- {
		s.Try(func(p *Plan) { p.Links = slices.Delete(p.Links, i, i+1) })
	}
	for _, plainer := range []func(l *netem.Link){
		func(l *netem.Link) { l.Corrupt = 0 },
		func(l *netem.Link) { l.MTU = 0 },
		func(l *netem.Link) { l.Duplicate = 0 },
		func(l *netem.Link) { l.Bandwidth, l.Queue, l.Overhead = 0, 0, 0 },
		func(l *netem.Link) { l.Burst = netem.Burst{} },
		func(l *netem.Link) { l.Reorder = false },
		func(l *netem.Link) { l.Jitter, l.Distribution, l.Reorder = 0, netem.None, false },
		func(l *netem.Link) { l.Loss = 0 },
		func(l *netem.Link) { l.Delay = 20 * time.Millisecond },
	} {
		s.Try(func(p *Plan) {
			plainer(&p.Link)
			for i := range p.Links {
				plainer(&p.Links[i].Link)
			}
		})
	}
}

// settings resets settings to their defaults.
func (s *shrinker) settings() {
	for _, usual := range []func(p *Plan){
		func(p *Plan) { p.MaxOrders = 0 },
		func(p *Plan) { p.TickRate = session.DefaultTickRate },
		func(p *Plan) { p.HashEvery, p.ChainEvery = 1, session.DefaultChainEvery },
		func(p *Plan) { p.DropAfter = session.DefaultDropAfter },
		func(p *Plan) { p.OnLeave = session.End },
		func(p *Plan) { p.QuorumTimeout = 0 },
		func(p *Plan) { p.MaxPause = 0 },
		func(p *Plan) { p.Framed = false },
		func(p *Plan) { p.Rest = 0 },
	} {
		s.Try(usual)
	}
	for _, usual := range []func(m *Machine){
		func(m *Machine) { m.Joins = false },
		func(m *Machine) { m.Drift = 0 },
		func(m *Machine) { m.Late = 0 },
		func(m *Machine) { m.Cost = Cost{} },
		func(m *Machine) { m.Cost.Every, m.Cost.Burst, m.Cost.Throttled = 0, 0, 0 },
		func(m *Machine) { m.Cost.Picture = 0 },
		func(m *Machine) { m.AutoDelay = false },
		func(m *Machine) { m.Delay = 0 },
		func(m *Machine) { m.Window = session.DefaultWindow },
	} {
		all := s.Try(func(p *Plan) {
			for i := range p.Machines {
				usual(&p.Machines[i])
			}
		})
		for i := range s.Best.Machines {
			if !all {
				s.Try(func(p *Plan) { usual(&p.Machines[i]) })
			}
		}
	}
}

// lengths makes the run shorter, and lets faults happen earlier.
func (s *shrinker) lengths() {
	s.Try(func(p *Plan) { p.Matches = 1 })
	s.Repeat(func(p *Plan) { p.Frames = max(p.Frames/2, 1) })
	s.Repeat(func(p *Plan) { p.Until = max(p.Until/2, time.Second).Truncate(time.Millisecond) })
	s.Repeat(func(p *Plan) {
		for i := range p.Faults {
			p.Faults[i].At = (p.Faults[i].At / 2).Truncate(time.Millisecond)
		}
	})
}
