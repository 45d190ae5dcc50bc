package hosted

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Limits of a plan, so that a plan from a file cannot run for ever.
const (
	// MaxClients is one for each place, and MaxSpectators the maximum number of spectators.
	MaxClients    = rollback.MaxPlayers
	MaxSpectators = 4
	// maxDelay is the maximum delay of spectators, in frames.
	maxDelay = 1000
	// maxDrift means a clock that is a tenth too fast or too slow.
	maxDrift = 100_000
	// maxSpan is the maximum duration of a fault: less than the truth is held.
	maxSpan = 30 * time.Second
	// maxRestarts is the maximum number of restarts of a server, since everything that its processes have played is held.
	maxRestarts = 8
	// maxDetour is the longest detour in milliseconds.
	maxDetour = 10_000
)

func planError(format string, args ...any) error {
	return fmt.Errorf("%w: %w", fleet.ErrPlan, fmt.Errorf(format, args...))
}

// Validate returns an error for the first invalid value: its name, the value, and what is allowed.
func (p *Plan) Validate() error {
	switch {
	case p.Places < 1 || p.Places > rollback.MaxPlayers:
		return planError("Places is %d, must be 1 to %d", p.Places, rollback.MaxPlayers)
	case p.TickRate < 1 || p.TickRate > session.MaxTickRate:
		return planError("TickRate is %d, must be 1 to %d", p.TickRate, session.MaxTickRate)
	case p.Frames < 1 || p.Frames > fleet.MaxPlanFrames:
		return planError("Frames is %d, must be 1 to %d", p.Frames, fleet.MaxPlanFrames)
	case p.States < 0 || p.States > p.TickRate:
		return planError("States is %d, must be 0 to the TickRate, %d", p.States, p.TickRate)
	case p.DropAfter < time.Second || p.DropAfter > time.Minute:
		return planError("DropAfter is %v, must be a second to a minute", p.DropAfter)
	case p.Delay < 0 || p.Delay > maxDelay:
		return planError("Delay is %d, must be 0 to %d", p.Delay, maxDelay)
	case len(p.Clients) < 1 || len(p.Clients) > MaxClients:
		return planError("there are %d clients, must be 1 to %d", len(p.Clients), MaxClients)
	case len(p.Spectators) > MaxSpectators:
		return planError("there are %d watchers, at most %d", len(p.Spectators), MaxSpectators)
	case len(p.Faults) > fleet.MaxFaults:
		return planError("there are %d faults, at most %d", len(p.Faults), fleet.MaxFaults)
	}
	if err := p.Cost.Validate(); err != nil {
		return fmt.Errorf("the server: %w", err)
	}
	for i := range p.Clients {
		c := &p.Clients[i]
		if err := c.Cost.Validate(); err != nil {
			return fmt.Errorf("client %d: %w", i, err)
		}
		if c.PerTick < 0 || c.PerTick > 4 {
			return planError("Clients[%d].PerTick is %d, must be 0 to 4", i, c.PerTick)
		}
		if err := checkMachine(c.Comes, c.Drift, c.Up, c.Down); err != nil {
			return planError("Clients[%d]: %w", i, err)
		}
	}
	for i := range p.Spectators {
		w := &p.Spectators[i]
		if err := w.Cost.Validate(); err != nil {
			return fmt.Errorf("watcher %d: %w", i, err)
		}
		if err := checkMachine(w.Comes, w.Drift, w.Up, w.Down); err != nil {
			return planError("Watchers[%d]: %w", i, err)
		}
	}
	if err := p.checkStrangers(); err != nil {
		return err
	}
	return p.checkFaults()
}

func checkMachine(comes time.Duration, drift int64, up, down netem.Link) error {
	switch {
	case comes < 0 || comes > fleet.MaxPlanTime:
		return fmt.Errorf("its Comes is %v, must be 0 to %v", comes, fleet.MaxPlanTime)
	case drift < -maxDrift || drift > maxDrift:
		return fmt.Errorf("its Drift is %d ppm, must be within %d", drift, maxDrift)
	}
	if err := up.Validate(); err != nil {
		return err
	}
	return down.Validate()
}

func (p *Plan) checkFaults() error {
	restarts := 0
	for i, f := range p.Faults {
		restarts += btoi(f.Kind == fleet.Restart && f.Machine == 0)
		kind, ofServer, ofSpectator := p.happens(f.Kind)
		switch {
		case !kind:
			return planError("Faults[%d] is a %v, which does not happen in such a match", i, f.Kind)
		case f.At < 0 || f.At > fleet.MaxPlanTime || f.For < 0 || f.For > maxSpan:
			return planError("Faults[%d] is at %v for %v, must be 0 to %v for at most %v", i, f.At, f.For, fleet.MaxPlanTime, maxSpan)
		case f.Machine < 0 || f.Machine >= p.honest() || f.Other < 0 || f.Other >= p.honest():
			return planError("Faults[%d] is about machines %d and %d; there are %d machines", i, f.Machine, f.Other, p.honest())
		case f.Machine == 0 && !ofServer || p.watches(f.Machine) && !ofSpectator:
			return planError("Faults[%d] is a %v of machine %d, which has none", i, f.Kind, f.Machine)
		case f.Kind == fleet.OneWay && (f.Machine == 0) == (f.Other == 0):
			return planError("Faults[%d] cuts the way from machine %d to machine %d: one of them has to be 0", i, f.Machine, f.Other)
		case f.Kind == fleet.Detour && (f.Value < 0 || f.Value > maxDetour):
			return planError("Faults[%d]: a detour of %d ms, must be 0 to %d", i, f.Value, maxDetour)
		case f.Kind == fleet.Restart && f.Value != 0:
			return planError("Faults[%d]: a restart of kind %d, which there is only between peers", i, f.Value)
		case restarts > maxRestarts:
			return planError("Faults[%d]: the server is started again %d times, at most %d", i, restarts, maxRestarts)
		case f.Side != 0 || f.Match != 0 || f.Frame != 0:
			return planError("Faults[%d] has a Side, a Match or a Frame, which count only between peers", i)
		}
	}
	return nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// happens reports whether a kind of fault happens at all, at the server, and at a spectator.
func (p *Plan) happens(k fleet.FaultKind) (any, ofServer, ofSpectator bool) {
	switch k {
	case fleet.OneWay, fleet.Hitch, fleet.Suspend:
		return true, true, true
	case fleet.Restart:
		return true, true, false
	case fleet.Stall, fleet.Detour, fleet.Leave, fleet.Kill:
		return true, false, true
	case fleet.Return, fleet.Kick:
		return true, false, false
	}
	return false, false, false
}
