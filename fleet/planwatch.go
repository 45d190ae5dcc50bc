package fleet

import (
	"fmt"
	"slices"
	"time"

	"github.com/tickback/tickback/session/spectate"
)

// MaxSpectators is the maximum number of spectators of a plan: as many as one host accepts.
const MaxSpectators = spectate.MaxSpectators

// maxViewerDelay and maxCatchUp are the limits of a session.SpectatorConfig.
const (
	maxViewerDelay = 1 << 16
	maxCatchUp     = 1 << 10
)

// maxNodes is the maximum number of machines of a plan, including spectators.
const maxNodes = MaxMachines + MaxSpectators

// SpectatorHosting configures each machine as a host for spectators, as in spectate.Config.
type SpectatorHosting struct {
	Max   int `json:",omitzero"` // spectators; 0 means none
	Delay int `json:",omitzero"` // frames behind agreement
	Rate  int `json:",omitzero"` // bytes a second to catch up; 0 means spectate.DefaultRate
	// Guarded says that spectators need a token.
	Guarded bool `json:",omitzero"`
}

// SpectatorPlan is a spectator of a plan. In links and faults it is a machine, too: spectator i is machine
// len(Machines) + i.
type SpectatorPlan struct {
	// Hosts are the machines that it watches, in the order in which they are tried.
	Hosts   []int
	Late    time.Duration `json:",omitzero"` // when it is switched on
	Drift   int64         `json:",omitzero"` // the deviation of its clock, in parts per million
	Delay   int           `json:",omitzero"` // frames held back; 0 means the session's default
	CatchUp int           `json:",omitzero"` // frames in a tick period; 0 means the session's default
	Cost    Cost          `json:",omitzero"` // how long its work takes
	// Stranger says that it does not know the token that it needs.
	Stranger Stranger `json:",omitzero"`
}

func (v SpectatorPlan) equal(o SpectatorPlan) bool {
	return slices.Equal(v.Hosts, o.Hosts) && v.Late == o.Late && v.Drift == o.Drift && v.Delay == o.Delay && v.CatchUp == o.CatchUp && v.Cost == o.Cost &&
		v.Stranger == o.Stranger
}

// nodes returns the number of machines, including spectators.
func (p *Plan) nodes() int { return len(p.Machines) + len(p.Spectators) }

// watches reports whether a machine is a spectator.
func (p *Plan) watches(machine int) bool { return machine >= len(p.Machines) }

// aside reports whether a fault only concerns a spectator.
func (p *Plan) aside(f Fault) bool {
	return f.Kind != Partition && p.watches(f.Machine) || f.Kind == OneWay && p.watches(f.Other)
}

// Unwatched returns the plan without spectators and everything about them. The hosts are configured as
// before.
func (p *Plan) Unwatched() Plan {
	c := p.Clone()
	for len(c.Spectators) > 0 {
		c.removeSpectator(len(c.Spectators) - 1)
	}
	return c
}

// removeSpectator removes a spectator from a plan.
func (p *Plan) removeSpectator(i int) {
	p.forget(len(p.Machines) + i)
	p.Spectators = slices.Delete(p.Spectators, i, i+1)
}

// checkSpectators does the part of Validate that is about spectators.
func (p *Plan) checkSpectators() error {
	a := spectate.Config{Max: p.Hosting.Max, Delay: p.Hosting.Delay, Rate: p.Hosting.Rate}
	if err := a.Complete(); err != nil {
		return planError("Audience: %w", err)
	}
	if len(p.Spectators) > 0 && a.Max == 0 {
		return planError("there are %d watchers, but Audience.Max is 0", len(p.Spectators))
	}
	if p.Hosting.Guarded && a.Max == 0 {
		return planError("Audience is Guarded, but Max is 0")
	}
	for i, v := range p.Spectators {
		if err := CheckStranger(v.Stranger, p.Hosting.Guarded); err != nil {
			return fmt.Errorf("watcher %d: %w", i, err)
		}
		for k, h := range v.Hosts {
			if h < 0 || h >= len(p.Machines) || slices.Index(v.Hosts, h) < k {
				return planError("watcher %d: Hosts is %v, must be machines 0 to %d, each once", i, v.Hosts, len(p.Machines)-1)
			}
		}
		switch {
		case len(v.Hosts) == 0:
			return planError("watcher %d has no hosts", i)
		case v.Late < 0 || v.Late > MaxPlanTime:
			return planError("watcher %d: Late is %v, must be 0 to %v", i, v.Late, MaxPlanTime)
		case v.Drift < -maxDrift || v.Drift > maxDrift:
			return planError("watcher %d: Drift is %d ppm, must be within %d", i, v.Drift, maxDrift)
		case v.Delay < 0 || v.Delay > maxViewerDelay:
			return planError("watcher %d: Delay is %d, must be 0 to %d", i, v.Delay, maxViewerDelay)
		case v.CatchUp < 0 || v.CatchUp > maxCatchUp:
			return planError("watcher %d: CatchUp is %d, must be 0 to %d", i, v.CatchUp, maxCatchUp)
		}
		if err := v.Cost.Validate(); err != nil {
			return fmt.Errorf("watcher %d: %w", i, err)
		}
	}
	return nil
}
