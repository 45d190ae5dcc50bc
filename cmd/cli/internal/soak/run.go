package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// soaking is a run of the soak command.
type soaking struct {
	app     *console.App
	game    Game
	flags   flags
	result  soakResult
	shrinks int // failures that are still to be shrunk
}

// maxShrunk is the maximum number of failures that are shrunk: that takes long, and the first few show the cause.
const maxShrunk = 3

// soaked is a match that was played.
type soaked struct {
	drawn
	result outcome
	took   time.Duration
	err    error
}

// run plays all matches, on the given number of workers, and adds up the results.
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
		case ctx.Err() != nil: // the match was interrupted
		case m.err != nil:
			broken = fmt.Errorf("seed %d, %d players: %w", m.seed, m.players, m.err)
			stop()
		default:
			s.result.add(&m)
			bar.Add(1)
			if !m.result.ok() {
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

// play plays match i. The matches play all numbers of players with the first seed, then with the next.
func (s *soaking) play(ctx context.Context, i uint64) (m soaked) {
	n := uint64(len(s.flags.players))
	m.play(ctx, s.kind(), s.game, s.flags.seed+i/n, s.flags.profile, s.flags.players[i%n], s.flags.length)
	return m
}

// kind returns the kind of matches. A single match reports its progress.
func (s *soaking) kind() kind {
	k := s.flags.kind()
	if peers, ok := k.(peerKind); ok && s.flags.seeds == 1 && len(s.flags.players) == 1 && !s.flags.json {
		peers.tell = func(line string) { fmt.Fprintln(s.app.Stderr, line) }
		return peers
	}
	return k
}

// play draws a match and plays it.
func (m *soaked) play(ctx context.Context, k kind, g Game, seed uint64, profile string, players int, length time.Duration) {
	if m.drawn, m.err = k.draw(g, seed, profile, players, length); m.err != nil {
		return
	}
	start := time.Now()
	m.result, m.err = playOnce(ctx, k, g, m.plan)
	m.took = time.Since(start)
}

// failed records a failure, and describes it on stderr.
func (s *soaking) failed(ctx context.Context, m *soaked) {
	f := soakFailure{
		Seed: m.seed, Players: m.players, Profile: m.profile,
		Violation: m.result.violations[0].String(), Command: s.command(&m.drawn), plan: m.plan,
	}
	if s.flags.shrink && s.shrinks > 0 {
		s.shrinks--
		f.plan, f.Shrunk = shrinkPlan(ctx, s.flags.kind(), s.game, m.plan, m.result.violations[0].Checker).plan, true
	}
	f.Plan = compactPlan(f.plan)
	if len(s.result.Failures) < maxFailures {
		s.result.Failures = append(s.result.Failures, f)
	}
	if !s.flags.json {
		f.print(s.app.Stderr)
	}
}

// maxFailures is how many failures are kept; all are counted.
const maxFailures = 100

// command returns the command that plays a seed again.
func (s *soaking) command(d *drawn) string {
	return fmt.Sprintf("%s soak%s --game %s%v --seeds 1 --seed %d --players %d --profile %s --length %v",
		s.app.Name, s.flags.kind().flag(), s.flags.game, &s.flags.settings, d.seed, d.players, s.flags.profile, s.flags.length)
}

func compactPlan(p plan) json.RawMessage {
	b, err := json.Marshal(p)
	if err != nil {
		panic("cli: a plan is no JSON: " + err.Error())
	}
	return b
}

// planText returns a plan in JSON, indented.
func planText(p plan) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(p.String()), "\n", "\n  ")
}
