package soak

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
)

// longSoak is a soak that keeps all its files in a folder, and can be continued there: progress.json, report.md, and
// a plan for each failure in plans.
type longSoak struct {
	app    *console.App
	folder string
	games  []Game
	state  soakState
	bar    *console.Progress
	saved  time.Time
	told   time.Time
	began  time.Duration // the processor time at the start of this run
	before time.Duration // the processor time of earlier runs
}

const (
	// saveEvery is the interval at which the progress is written. It is also written after saveMatches matches, and
	// after each failure.
	saveEvery   = 5 * time.Second
	saveMatches = 16
	// tellEvery is the interval at which a line is printed if there is no progress bar.
	tellEvery = time.Minute
	// maxLongFailures is the number of failures after which a soak stops, since each of them is shrunk.
	maxLongFailures = 100
)

// played is a match of a long soak, with its result.
type played struct {
	index uint64
	soaked
}

// soakLong plays the remaining matches of a long soak.
func (a *family) soakLong(ctx context.Context, o flags, games []Game) error {
	l := &longSoak{app: a.App, folder: o.folder, games: games, state: newSoakState(o, games)}
	if err := l.open(o); err != nil {
		return console.Failed(fmt.Errorf("%s: %w", o.folder, disk.Bare(err)))
	}
	err := l.run(ctx, o.workers)
	l.state.CPU = l.cpu().Seconds()
	for _, write := range []func() error{l.save, l.report} {
		if e := write(); e != nil && err == nil {
			err = e
		}
	}
	l.conclude(err)
	switch n := len(l.state.Failures); {
	case err != nil:
		return console.Failed(err)
	case n > 0:
		return console.Failed(fmt.Errorf("%d of %d matches failed: see %s", n, l.state.Done, l.path("report.md")))
	}
	return nil
}

func (l *longSoak) path(name string) string { return filepath.Join(l.folder, name) }

// open makes the folder, or reads the progress of the soak in it, and checks that it can be written to.
func (l *longSoak) open(o flags) error {
	if err := os.MkdirAll(l.path("plans"), 0o777); err != nil {
		return err
	}
	for _, pattern := range []string{"*.part", "plans/*.part"} { // files of a run that was killed
		if stale, err := filepath.Glob(l.path(pattern)); err == nil {
			for _, path := range stale {
				os.Remove(path)
			}
		}
	}
	old, err := readSoakState(l.path("progress.json"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return l.save()
	case err != nil:
		return fmt.Errorf("progress.json: %w; with another --folder a soak begins anew", err)
	}
	if err := l.state.continues(old, o.otherBuild); err != nil {
		return err
	}
	l.state = *old
	l.state.build()
	l.before = time.Duration(old.CPU * float64(time.Second))
	if err := l.save(); err != nil {
		return err
	}
	fmt.Fprintf(l.app.Stderr, "%s: %d of %d matches are played already\n", l.folder, l.state.Done, l.state.total())
	return nil
}

// cpu returns the processor time of all runs.
func (l *longSoak) cpu() time.Duration { return l.before + cpuTime() - l.began }

// run plays all remaining matches, on the given number of workers.
func (l *longSoak) run(ctx context.Context, workers int) error {
	total := int64(l.state.total())
	l.bar = console.NewProgress(l.app.Stderr, total, "matches")
	defer func() { l.bar.Hide() }()
	l.bar.Add(int64(l.state.Done))
	l.began, l.saved, l.told = cpuTime(), time.Now(), time.Now()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	jobs, done := make(chan uint64), make(chan played)
	left := l.state.left()
	go func() {
		defer close(jobs)
		for i := range left {
			select {
			case jobs <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := range jobs {
				done <- l.play(ctx, i)
			}
		})
	}
	go func() { group.Wait(); close(done) }()
	var broken error
	for m := range done {
		if ctx.Err() != nil || broken != nil {
			continue // the match was interrupted
		}
		if broken = l.take(ctx, &m); broken != nil {
			stop()
		}
	}
	if broken == nil && ctx.Err() != nil {
		broken = console.ErrInterrupted
	}
	return broken
}

// play plays match i.
func (l *longSoak) play(ctx context.Context, i uint64) (m played) {
	g, players, seed := l.state.match(i, l.games)
	m.index = i
	m.soaked.play(ctx, l.state.kind(), g, seed, l.state.Profile, players, l.state.length())
	return m
}

// take adds the result of a match. If it returns an error, the soak ends.
func (l *longSoak) take(ctx context.Context, m *played) error {
	g, _, seed := l.state.match(m.index, l.games)
	if m.err != nil {
		return fmt.Errorf("%s, seed %d, %d players: %w", g.Info().ID, seed, m.players, m.err)
	}
	if !m.result.ok() {
		l.bar.Hide()
		f, err := l.fails(ctx, g, &m.soaked)
		if err != nil || ctx.Err() != nil {
			return err // the plan is missing or not fully shrunk, so the match will be played again
		}
		l.state.Failures = append(l.state.Failures, f)
	}
	l.state.add(m.index, g, &m.soaked)
	l.bar.Add(1)
	l.state.CPU = l.cpu().Seconds()
	if !m.result.ok() || time.Since(l.saved) > saveEvery || l.state.Done%saveMatches == 0 {
		l.saved = time.Now()
		if err := l.save(); err != nil {
			return err
		}
	}
	if !l.bar.Visible() && time.Since(l.told) > tellEvery {
		l.told = time.Now()
		fmt.Fprintln(l.app.Stderr, l.state.line())
	}
	if len(l.state.Failures) >= maxLongFailures {
		return fmt.Errorf("%d matches have failed, which is enough: mend these first", maxLongFailures)
	}
	return nil
}

// fails writes the plan of a failed match: first as it was played, and then shrunk. If it cannot write to the folder,
// it prints the plan.
func (l *longSoak) fails(ctx context.Context, g Game, m *soaked) (longFailure, error) {
	id, v, k := g.Info().ID, m.result.violations[0], l.state.kind()
	path := l.path(filepath.Join("plans", fmt.Sprintf("%s-%d-%d.json", id, m.players, m.seed)))
	f := longFailure{
		Game: id, Seed: m.seed, Players: m.players, Profile: m.profile, Violation: v.String(), Plan: path,
		Command: fmt.Sprintf("%s soak%s --game %s --plan %s", l.app.Name, k.flag(), id, path),
		Drawn: fmt.Sprintf("%s soak%s --game %s --seeds 1 --seed %d --players %d --profile %s --length %v",
			l.app.Name, k.flag(), id, m.seed, m.players, m.profile, l.state.length()),
	}
	err := writeWhole(path, m.plan.JSON())
	least := m.plan
	if err == nil {
		least = shrinkPlan(ctx, k, g, m.plan, v.Checker).plan
		if ctx.Err() == nil {
			err = writeWhole(path, least.JSON())
		}
	}
	fmt.Fprintf(l.app.Stderr, "FAILED: %s, seed %d, %d players, %s: %s\n%s\nagain:\n  %s\n", id, f.Seed, f.Players, f.Profile, v, planText(least), f.Command)
	if err != nil {
		fmt.Fprintf(l.app.Stderr, "the plan could not be written; it is:\n%s\nagain, as it was drawn:\n  %s\n", least.JSON(), f.Drawn)
	}
	return f, err
}

// save writes the progress of the soak.
func (l *longSoak) save() error { return writeWhole(l.path("progress.json"), l.state.file()) }

// report writes the tables.
func (l *longSoak) report() error {
	return writeWhole(l.path("report.md"), []byte(l.state.markdown()))
}

// conclude prints the results. If the folder could not be written to, it prints everything.
func (l *longSoak) conclude(err error) {
	if l.state.Done < l.state.total() || err != nil {
		for _, f := range l.state.Failures {
			fmt.Fprintf(l.app.Stderr, "failed so far: %s, seed %d, %d players, %s: %s\n", f.Game, f.Seed, f.Players, f.Profile, f.Violation)
		}
	}
	fmt.Fprintln(l.app.Stdout, l.state.line())
}

// writeWhole replaces a file by one with this content, or leaves it unchanged.
func writeWhole(path string, content []byte) error {
	o, err := disk.Beside(path, 0o666)
	if err != nil {
		return err
	}
	defer o.Discard()
	return o.Commit(context.Background(), func() error {
		_, err := o.Write(content)
		return err
	})
}
