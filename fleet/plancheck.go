package fleet

import (
	"errors"
	"fmt"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Limits of a plan, so that a plan from a file cannot run for ever.
const (
	// MaxMachines is one for each player.
	MaxMachines = session.MaxPlayers
	// MaxPlanTime is the latest time that a plan can have.
	MaxPlanTime = 24 * time.Hour
	// MaxPlanFrames is a day at 60 frames a second, and MaxMatches the maximum number of matches.
	MaxPlanFrames = 24 * 3600 * 60
	MaxMatches    = 100
	// MaxFaults is the maximum number of faults of a plan.
	MaxFaults = 1000
	// maxDrift means a clock that is a tenth too fast or too slow.
	maxDrift = 100_000
)

// ErrPlan is wrapped by every error about a [Plan].
var ErrPlan = errors.New("invalid fleet.Plan")

func planError(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrPlan, fmt.Errorf(format, args...))
}

// Validate returns an error for the first invalid value: its name, the value, and what is allowed. It does not check
// values that only sessions need.
func (p *Plan) Validate() error {
	switch {
	case p.Matches < 1 || p.Matches > MaxMatches:
		return planError("Matches is %d, must be 1 to %d", p.Matches, MaxMatches)
	case p.Frames < 1 || p.Frames > MaxPlanFrames:
		return planError("Frames is %d, must be 1 to %d", p.Frames, MaxPlanFrames)
	case p.Until <= 0 || p.Until > MaxPlanTime:
		return planError("Until is %v, must be up to %v", p.Until, MaxPlanTime)
	case p.Rest < 0 || p.Rest > MaxPlanTime:
		return planError("Rest is %v, must be 0 to %v", p.Rest, MaxPlanTime)
	case p.TickRate < 1 || p.TickRate > session.MaxTickRate:
		return planError("TickRate is %d, must be 1 to %d", p.TickRate, session.MaxTickRate)
	case p.DropAfter < time.Second || p.DropAfter > session.MaxDropAfter:
		return planError("DropAfter is %v, must be %v to %v", p.DropAfter, time.Second, session.MaxDropAfter)
	case p.QuorumTimeout < 0 || p.QuorumTimeout > MaxPlanTime || p.MaxPause < 0 || p.MaxPause > MaxPlanTime:
		return planError("QuorumTimeout is %v and MaxPause %v, must be 0 to %v", p.QuorumTimeout, p.MaxPause, MaxPlanTime)
	case p.HashEvery == 0 || p.ChainEvery < 1:
		return planError("HashEvery is %d and ChainEvery %d: both are required", p.HashEvery, p.ChainEvery)
	case p.MaxOrders < 0 || p.MaxOrders > rollback.MaxOrderBytes:
		return planError("MaxOrders is %d, must be 0 to %d", p.MaxOrders, rollback.MaxOrderBytes)
	case len(p.Machines) < 2 || len(p.Machines) > MaxMachines:
		return planError("there are %d machines, must be 2 to %d", len(p.Machines), MaxMachines)
	case len(p.Spectators) > MaxSpectators:
		return planError("there are %d watchers, at most %d", len(p.Spectators), MaxSpectators)
	case len(p.Links) > maxNodes*maxNodes:
		return planError("there are %d links, at most %d", len(p.Links), maxNodes*maxNodes)
	case len(p.Faults) > MaxFaults:
		return planError("there are %d faults, at most %d", len(p.Faults), MaxFaults)
	}
	return errors.Join(p.checkMachines(), p.checkSpectators(), p.checkLinks(), p.checkFaults())
}

func (p *Plan) checkMachines() error {
	next, founders := rollback.Player(0), 0
	for i, m := range p.Machines {
		founders += btoi(!m.Joins)
		for player := range m.Players.All() {
			if player != next {
				return planError("machine %d has %v: the players of the machines are 0, 1, 2, ... in order", i, m.Players)
			}
			next++
		}
		switch {
		case m.Joins && (i == 0 || !p.continues()):
			return planError("machine %d joins: the host cannot, and OnLeave must be Continue", i)
		case m.Players == 0:
			return planError("machine %d has no players", i)
		case m.Window < 0 || m.Window > rollback.MaxWindow:
			return planError("machine %d: Window is %d, must be 0 to %d", i, m.Window, rollback.MaxWindow)
		case m.Delay < 0 || m.Delay > rollback.MaxDelay || m.Delay > 0 && m.AutoDelay:
			return planError("machine %d: Delay is %d, must be 0 to %d, and 0 with AutoDelay", i, m.Delay, rollback.MaxDelay)
		case m.Late < 0 || m.Late > MaxPlanTime:
			return planError("machine %d: Late is %v, must be 0 to %v", i, m.Late, MaxPlanTime)
		case m.Drift < -maxDrift || m.Drift > maxDrift:
			return planError("machine %d: Drift is %d ppm, must be within %d", i, m.Drift, maxDrift)
		}
		if err := m.Cost.Validate(); err != nil {
			return fmt.Errorf("machine %d: %w", i, err)
		}
	}
	if founders < 2 {
		return planError("%d machines begin the match, must be at least 2", founders)
	}
	return nil
}

func (p *Plan) checkLinks() error {
	if err := p.Link.Validate(); err != nil {
		return planError("Link: %w", err)
	}
	for i, w := range p.Links {
		if !p.isMachine(w.From) || !p.isMachine(w.To) || w.From == w.To {
			return planError("Links[%d] is from machine %d to machine %d; there are %d machines", i, w.From, w.To, p.nodes())
		}
		if err := w.Link.Validate(); err != nil {
			return planError("Links[%d]: %w", i, err)
		}
	}
	return nil
}

func (p *Plan) isMachine(i int) bool { return i >= 0 && i < p.nodes() }

func (p *Plan) checkFaults() error {
	for i, f := range p.Faults {
		switch {
		case f.Kind == 0 || f.Kind >= kinds:
			return planError("Faults[%d] is a %v", i, f.Kind)
		case f.At < 0 || f.At > MaxPlanTime || f.For < 0 || f.For > MaxPlanTime:
			return planError("Faults[%d] is at %v for %v, must be 0 to %v", i, f.At, f.For, MaxPlanTime)
		case !p.isMachine(f.Machine) || !p.isMachine(f.Other):
			return planError("Faults[%d] is about machines %d and %d; there are %d machines", i, f.Machine, f.Other, p.nodes())
		case f.Match < 0 || f.Match > p.Matches || f.Frame < -MaxPlanFrames || f.Frame > MaxPlanFrames || f.Match == 0 && f.Frame != 0 || f.Match > 0 && f.Kind == Desync:
			return planError("Faults[%d], a %v, is at frame %d of match %d of %d", i, f.Kind, f.Frame, f.Match, p.Matches)
		case p.watches(f.Machine) && f.Kind >= SetDelay:
			return planError("Faults[%d] is a %v of machine %d, which is a spectator", i, f.Kind, f.Machine)
		case f.Kind == Kick && f.Machine == 0:
			return planError("Faults[%d] kicks machine 0, which is the host", i)
		case f.Kind == Return && !p.continues():
			return planError("Faults[%d] is a return, which needs OnLeave Continue", i)
		case f.Kind == Restart && (f.Value < 0 || f.Value > RestartAsBefore):
			return planError("Faults[%d]: a restart of kind %d, must be 0 to %d", i, f.Value, RestartAsBefore)
		case f.Kind == Restart && f.Value == 0 && !p.continues():
			return planError("Faults[%d] is a restart of a machine that joins, which needs OnLeave Continue", i)
		case f.Kind == OneWay && f.Machine == f.Other:
			return planError("Faults[%d] cuts the way from machine %d to itself", i, f.Machine)
		case f.Kind == Talk && (f.Value < 1 || f.Value > session.MaxMessage):
			return planError("Faults[%d]: a message of %d bytes, must be 1 to %d", i, f.Value, session.MaxMessage)
		case f.Kind == SetDelay && (f.Value < 0 || f.Value > rollback.MaxDelay):
			return planError("Faults[%d]: a delay of %d frames, must be 0 to %d", i, f.Value, rollback.MaxDelay)
		case f.Kind == Detour && (f.Value < 0 || f.Value > maxDetour):
			return planError("Faults[%d]: a detour of %d ms, must be 0 to %d", i, f.Value, maxDetour)
		case f.Kind == Desync && (f.Value < 0 || f.Value >= MaxPlanFrames):
			return planError("Faults[%d]: frame %d, must be 0 to %d", i, f.Value, MaxPlanFrames-1)
		case f.Kind == Clock && (f.Value < -maxJump || f.Value > maxJump):
			return planError("Faults[%d]: a clock jumps by %d ms, must be within %d", i, f.Value, maxJump)
		case f.Kind == Replay && (f.Value < 0 || f.Value > ReplayEarlier|ReplayElsewhere):
			return planError("Faults[%d]: a replay of kind %d, must be 0 to %d", i, f.Value, ReplayEarlier|ReplayElsewhere)
		case f.Kind == Crash && (f.Value < 0 || f.Value > maxLastWords):
			return planError("Faults[%d]: %d datagrams before a crash, must be 0 to %d", i, f.Value, maxLastWords)
		}
	}
	return nil
}

// maxDetour is the longest detour in milliseconds.
const maxDetour = 10_000

// maxJump is the maximum jump of a clock, in milliseconds. maxLastWords is the maximum number of datagrams that a
// machine can still send when it crashes.
const (
	maxJump      = 3_600_000
	maxLastWords = 100
)
