package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/fleet"
)

// planResult is a plan that was played. The tags are the keys of --json.
type planResult struct {
	Game       string   `json:"game"`
	Players    int      `json:"players"`
	Seconds    float64  `json:"virtual_seconds"`
	Digest     string   `json:"digest"` // of all that was sent: equal ones are one run
	OK         bool     `json:"ok"`
	Violations []string `json:"violations"`
}

// soakPlan plays the plan in a file.
func (a *family) soakPlan(ctx context.Context, g Game, o flags) error {
	p, err := a.readPlan(ctx, o.plan)
	if err != nil {
		return console.Failed(fmt.Errorf("%s: %w", o.plan, disk.Bare(err)))
	}
	if info := g.Info(); p.Players() < info.MinPlayers || p.Players() > info.MaxPeers {
		return console.Failed(fmt.Errorf("%s: %d players, and %s is for %s", o.plan, p.Players(), info.ID, words.Span(info.MinPlayers, info.MaxPeers)))
	}
	res, err := soakOnce(ctx, g, p, o.data)
	if err == nil && ctx.Err() != nil {
		err = console.ErrInterrupted
	}
	if err != nil {
		return console.Failed(fmt.Errorf("%s: %w", o.plan, err))
	}
	out := planResult{Game: o.game, Players: p.Players(), Seconds: res.Length.Seconds(), Digest: words.Checksum64(res.Digest), OK: res.OK(), Violations: []string{}}
	for _, v := range res.Violations {
		out.Violations = append(out.Violations, v.String())
	}
	if o.json {
		a.PrintJSON(out)
	} else {
		a.printPlan(&p, &res, out)
	}
	if !res.OK() {
		return console.Failed(fmt.Errorf("%s: %s", o.plan, out.Violations[0]))
	}
	return nil
}

func (a *family) readPlan(ctx context.Context, path string) (fleet.Plan, error) {
	src := a.Stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return fleet.Plan{}, err
		}
		defer f.Close()
		src = f
	}
	if src == nil {
		return fleet.Plan{}, errors.New("there is no standard input")
	}
	b, err := io.ReadAll(io.LimitReader(&console.Interruptible{Ctx: ctx, Src: src}, fleet.MaxPlanSize+1))
	if err != nil {
		return fleet.Plan{}, err
	}
	return fleet.ParsePlan(b)
}

// printPlan shows what became of each machine.
func (a *family) printPlan(p *fleet.Plan, res *fleet.Result, out planResult) {
	fmt.Fprintf(a.Stdout, "%s\n\n", planText(p))
	rows := console.NewTable("MACHINE", "PHASE", "GONE", "MATCHES", "FRAMES", "HEALTH", "ERROR")
	for i, m := range res.Machines {
		frames, health := "-", "-"
		if n := len(m.Outcomes); n > 0 {
			frames, health = fmt.Sprint(m.Outcomes[n-1].Frames), m.Outcomes[n-1].Health.String()
		}
		rows.Add(i, m.Phase, console.OrDash(m.Gone), len(m.Outcomes), frames, health, console.OrDash(console.ErrorText(m.Err)))
	}
	rows.Print(a.Stdout)
	fmt.Fprintf(a.Stdout, "%.1f s, digest %s\n", out.Seconds, out.Digest)
	for _, v := range out.Violations {
		fmt.Fprintf(a.Stdout, "FAILED: %s\n", v)
	}
	if out.OK {
		fmt.Fprintln(a.Stdout, "ok")
	}
}
