package hosted

import (
	"slices"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
)

// Shrink looks for a smaller plan that still fails: with fewer faults, clients and spectators, plainer
// links, and shorter. fails plays a plan, and reports whether it fails in the same way
// ([SameFailure]). It is called at most most times, and not for the given plan. The result is the
// smallest plan found.
func Shrink(p Plan, most int, fails func(Plan) bool) Plan {
	s := &shrinker{fleet.Reducer[Plan]{Best: p.Clone(), Left: most, Clone: (*Plan).Clone, Equal: (*Plan).Equal, Valid: (*Plan).Validate, Fails: fails}}
	for {
		before := s.Best.Clone()
		s.machines()
		s.faults()
		s.links()
		s.settings()
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

type shrinker struct{ fleet.Reducer[Plan] }

// machines removes strangers, spectators and clients.
func (s *shrinker) machines() {
	s.Remove(func(p *Plan) int { return len(p.Strangers) }, func(p *Plan, from, end int) { p.Strangers = slices.Delete(p.Strangers, from, end) })
	s.Try(func(p *Plan) { p.Guarded = false })
	s.Remove(func(p *Plan) int { return len(p.Spectators) }, func(p *Plan, from, end int) {
		for i := end - 1; i >= from; i-- {
			p.forget(1 + len(p.Clients) + i)
			p.Spectators = slices.Delete(p.Spectators, i, i+1)
		}
	})
	s.Remove(func(p *Plan) int { return len(p.Clients) }, func(p *Plan, from, end int) {
		for i := end - 1; i >= from; i-- {
			p.forget(1 + i)
			p.Clients = slices.Delete(p.Clients, i, i+1)
		}
	})
}

// forget removes the faults of a machine, and renumbers the machines after it.
func (p *Plan) forget(machine int) {
	p.Faults = slices.DeleteFunc(p.Faults, func(f fleet.Fault) bool { return f.Machine == machine || f.Other == machine })
	for i := range p.Faults {
		for _, m := range []*int{&p.Faults[i].Machine, &p.Faults[i].Other} {
			if *m > machine {
				*m--
			}
		}
	}
}

// faults removes faults, and shortens the remaining ones.
func (s *shrinker) faults() {
	s.Remove(func(p *Plan) int { return len(p.Faults) }, func(p *Plan, from, end int) { p.Faults = slices.Delete(p.Faults, from, end) })
	for i := range s.Best.Faults {
		for s.Best.Faults[i].For > 50*time.Millisecond &&
			s.Try(func(p *Plan) { p.Faults[i].For = (p.Faults[i].For / 2).Truncate(time.Millisecond) }) {
		}
	}
}

// links makes the links simpler.
func (s *shrinker) links() {
	for _, plainer := range []func(l *netem.Link){
		func(l *netem.Link) { *l = netem.Link{Delay: l.Delay} },
		func(l *netem.Link) { l.Corrupt, l.Duplicate = 0, 0 },
		func(l *netem.Link) { l.Burst = netem.Burst{} },
		func(l *netem.Link) { l.Reorder = false },
		func(l *netem.Link) { l.Jitter, l.Distribution, l.Reorder = 0, netem.None, false },
		func(l *netem.Link) { l.Loss = 0 },
		func(l *netem.Link) { l.Delay = 20 * time.Millisecond },
	} {
		s.Try(func(p *Plan) {
			for i := range p.Clients {
				plainer(&p.Clients[i].Up)
				plainer(&p.Clients[i].Down)
			}
			for i := range p.Strangers {
				plainer(&p.Strangers[i].Up)
				plainer(&p.Strangers[i].Down)
			}
			for i := range p.Spectators {
				plainer(&p.Spectators[i].Up)
				plainer(&p.Spectators[i].Down)
			}
		})
	}
}

// settings resets settings to their defaults, and makes the match shorter.
func (s *shrinker) settings() {
	s.Try(func(p *Plan) { p.Cost = fleet.Cost{} })
	s.Try(func(p *Plan) {
		for i := range p.Clients {
			p.Clients[i].Cost = fleet.Cost{}
		}
		for i := range p.Spectators {
			p.Spectators[i].Cost = fleet.Cost{}
		}
	})
	s.Try(func(p *Plan) { p.States = 0 })
	s.Try(func(p *Plan) { p.Partial = false })
	s.Try(func(p *Plan) { p.Delay = 0 })
	s.Try(func(p *Plan) { p.DropAfter = 5 * time.Second })
	s.Try(func(p *Plan) {
		for i := range p.Clients {
			p.Clients[i].Drift, p.Clients[i].PerTick = 0, 0
		}
	})
	s.Try(func(p *Plan) {
		for i := range p.Clients {
			p.Clients[i].Comes = 0
		}
	})
	s.Repeat(func(p *Plan) {
		for i := range p.Clients {
			p.Clients[i].Comes = (p.Clients[i].Comes / 2).Truncate(time.Millisecond)
		}
	})
	s.Repeat(func(p *Plan) { p.Frames = max(p.Frames/2, 1) })
}
