package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/session"
)

// soaking is a run of the soak command.
type soaking struct {
	app     *console.App
	game    Game
	flags   flags
	result  soakResult
	shrinks int // failures that are still to be shrunk
}

// maxShrunk is how many failures are shrunk: that takes long, and the first few say
// what is wrong.
const maxShrunk = 3

// soaked is a match that was played.
type soaked struct {
	plan   fleet.Plan
	result fleet.Result
	took   time.Duration
	err    error
}

// run plays all matches, on as many workers as asked for, and adds them up.
func (s *soaking) run(ctx context.Context) error {
	total := s.flags.seeds * uint64(len(s.flags.players))
	bar := console.NewProgress(s.app.Stderr, int64(total), "matches")
	defer bar.Hide()
	ctx, stop := context.WithCancel(ctx)
	jobs, done := make(chan uint64), make(chan soaked)
	go func() {
		defer close(jobs)
		for i := range total {
			select {
			case jobs <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	var workers sync.WaitGroup
	for range s.flags.workers {
		workers.Go(func() {
			for i := range jobs {
				done <- s.play(ctx, i)
			}
		})
	}
	go func() { workers.Wait(); close(done) }()
	var broken error
	began := cpuTime()
	for m := range done {
		switch {
		case ctx.Err() != nil: // it was not played to its end
		case m.err != nil:
			broken = fmt.Errorf("seed %d, %d players: %w", m.plan.Seed, m.plan.Players(), m.err)
			stop()
		default:
			s.result.add(&m)
			bar.Add(1)
			if !m.result.OK() {
				bar.Hide()
				s.failed(ctx, &m)
			}
		}
	}
	interrupted := ctx.Err() != nil
	stop()
	s.result.cpu = cpuTime() - began
	switch {
	case broken != nil:
		return broken
	case interrupted:
		return console.ErrInterrupted
	}
	return nil
}

// play plays match i: all numbers of players with the first seed, then with the next.
func (s *soaking) play(ctx context.Context, i uint64) (m soaked) {
	n := uint64(len(s.flags.players))
	m.plan, m.err = fleet.Draw(s.flags.seed+i/n, s.flags.profile, s.flags.players[i%n], s.flags.length)
	if m.err != nil {
		return m
	}
	s.flags.adapt(s.game.Info(), &m.plan)
	start := time.Now()
	m.result, m.err = soakOnce(ctx, s.game, m.plan, s.flags.data)
	m.took = time.Since(start)
	return m
}

// adapt makes the changes to a plan that the game and the flags ask for: it was drawn without them.
func (o *flags) adapt(g *games.Info, p *fleet.Plan) {
	if g.MaxOrders > 0 {
		p.MaxOrders = g.MaxOrders
	}
	for i := range p.Machines {
		switch m := &p.Machines[i]; {
		case o.mode == modeLockstep:
			m.Window = 0
		case o.mode == modeRollback && m.Window == 0:
			m.Window = session.DefaultWindow
		}
	}
}

// soakOnce plays a plan.
func soakOnce(ctx context.Context, g Game, p fleet.Plan, data []byte) (res fleet.Result, err error) {
	err = console.Survive(func() (err error) {
		res, err = g.soak(p, data, func() bool { return ctx.Err() == nil })
		return err
	})
	return res, err
}

// failed notes a failure, and says on stderr what there is to see.
func (s *soaking) failed(ctx context.Context, m *soaked) {
	f := soakFailure{
		Seed: m.plan.Seed, Players: m.plan.Players(), Profile: m.plan.Profile,
		Violation: m.result.Violations[0].String(), Command: s.command(&m.plan), plan: m.plan,
	}
	if s.flags.shrink && s.shrinks > 0 {
		s.shrinks--
		f.plan, f.Shrunk = shrinkPlan(ctx, s.game, m.plan, s.flags.data, m.result.Violations[0].Checker), true
	}
	f.Plan = compactPlan(&f.plan)
	if len(s.result.Failures) < maxFailures {
		s.result.Failures = append(s.result.Failures, f)
	}
	if !s.flags.json {
		f.print(s.app.Stderr)
	}
}

// maxFailures is how many failures are kept; all are counted.
const maxFailures = 100

// shrinkPlan looks for less that fails in the same way, until ctx ends.
func shrinkPlan(ctx context.Context, g Game, p fleet.Plan, data []byte, checker string) fleet.Plan {
	same := fleet.SameFailure(checker, func(p fleet.Plan) (fleet.Result, error) { return soakOnce(ctx, g, p, data) })
	return fleet.Shrink(p, fleet.DefaultShrinks, func(p fleet.Plan) bool { return ctx.Err() == nil && same(p) })
}

// command is what plays a seed again.
func (s *soaking) command(p *fleet.Plan) string {
	mode := ""
	if s.flags.mode != modeDrawn {
		mode = " --mode " + s.flags.mode
	}
	return fmt.Sprintf("%s soak --game %s%v --seeds 1 --seed %d --players %d --profile %s%s --length %v",
		s.app.Name, s.flags.game, &s.flags.settings, p.Seed, p.Players(), s.flags.profile, mode, s.flags.length)
}

func compactPlan(p *fleet.Plan) json.RawMessage {
	b, err := json.Marshal(p)
	if err != nil {
		panic("cli: a plan is no JSON: " + err.Error())
	}
	return b
}

// planText is a plan, indented.
func planText(p *fleet.Plan) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(p.String()), "\n", "\n  ")
}
