package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/fleet"
)

// planResult is the result of playing one plan. The tags are the keys of --json.
type planResult struct {
	Game       string   `json:"game"`
	Players    int      `json:"players"`
	Seconds    float64  `json:"virtual_seconds"`
	Digest     string   `json:"digest"` // a digest of everything that was sent: if it is equal, so are the runs
	OK         bool     `json:"ok"`
	Violations []string `json:"violations"`
}

// soakPlan plays the plan in a file.
func (a *family) soakPlan(ctx context.Context, g Game, o flags) error {
	k := o.kind()
	p, err := a.readPlan(ctx, k, o.plan)
	if err != nil {
		return console.Failed(fmt.Errorf("%s: %w", o.plan, planError(disk.Bare(err))))
	}
	if least, most, _ := k.takes(g.Info()); p.players < least || p.players > most {
		return console.Failed(fmt.Errorf("%s: %d players, and %s is for %s", o.plan, p.players, g.Info().ID, words.Span(least, most)))
	}
	res, err := playOnce(ctx, k, g, p.plan)
	if err == nil && ctx.Err() != nil {
		err = console.ErrInterrupted
	}
	if err != nil {
		return console.Failed(fmt.Errorf("%s: %w", o.plan, err))
	}
	out := planResult{Game: o.game, Players: p.players, Seconds: res.length.Seconds(), Digest: words.Checksum64(res.digest), OK: res.ok(), Violations: []string{}}
	for _, v := range res.violations {
		out.Violations = append(out.Violations, v.String())
	}
	if o.json {
		a.PrintJSON(out)
	} else {
		fmt.Fprintf(a.Stdout, "%s\n\n", planText(p.plan))
		res.machines.Print(a.Stdout)
		a.printEnd(out)
	}
	if !res.ok() {
		return console.Failed(fmt.Errorf("%s: %s", o.plan, out.Violations[0]))
	}
	return nil
}

// planError rewords an error about a plan for the command line.
func planError(err error) error {
	if text, is := strings.CutPrefix(err.Error(), fleet.ErrPlan.Error()+": "); is {
		return fmt.Errorf("this is no plan that can be played: %s", text)
	}
	return err
}

// readPlan reads a plan of a kind. For one of the other kind, the error names the missing flag.
func (a *family) readPlan(ctx context.Context, k kind, path string) (d drawn, err error) {
	src := a.Stdin
	if path != "-" {
		f, err := disk.Open(ctx, path)
		if err != nil {
			return d, err
		}
		defer f.Close()
		src = f
	}
	if src == nil {
		return d, errors.New("there is no standard input")
	}
	b, err := io.ReadAll(io.LimitReader(&console.Interruptible{Ctx: ctx, Src: src}, fleet.MaxPlanSize+1))
	if err != nil {
		return d, err
	}
	if d, err = k.parse(b); err == nil {
		return d, nil
	}
	if _, peers := k.(peerKind); peers {
		if _, wrong := kindOf(true).parse(b); wrong == nil {
			return d, errors.New("it is the plan of a match that a server owns: add --served")
		}
	} else if _, wrong := kindOf(false).parse(b); wrong == nil {
		return d, errors.New("it is the plan of a match between peers: leave out --served")
	}
	return d, err
}

// printEnd prints how a plan ended.
func (a *family) printEnd(out planResult) {
	fmt.Fprintf(a.Stdout, "%.1f s, digest %s\n", out.Seconds, out.Digest)
	for _, v := range out.Violations {
		fmt.Fprintf(a.Stdout, "FAILED: %s\n", v)
	}
	if out.OK {
		fmt.Fprintln(a.Stdout, "ok")
	}
}
