package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

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
func (a *soakFamily) soakPlan(ctx context.Context, g soakGame, o soakFlags) error {
	p, err := a.readPlan(ctx, o.plan)
	if err != nil {
		return failure{fmt.Errorf("%s: %w", o.plan, bare(err))}
	}
	if info := g.info(); p.Players() < info.minPlayers || p.Players() > info.maxPlayers {
		return failure{fmt.Errorf("%s: %d players, and %s is for %s", o.plan, p.Players(), info.id, span(info.minPlayers, info.maxPlayers))}
	}
	res, err := soakOnce(ctx, g, p)
	if err == nil && ctx.Err() != nil {
		err = errInterrupted
	}
	if err != nil {
		return failure{fmt.Errorf("%s: %w", o.plan, err)}
	}
	out := planResult{Game: o.game, Players: p.Players(), Seconds: res.Length.Seconds(), Digest: checksum64(res.Digest), OK: res.OK(), Violations: []string{}}
	for _, v := range res.Violations {
		out.Violations = append(out.Violations, v.String())
	}
	if o.json {
		a.printJSON(out)
	} else {
		a.printPlan(&p, &res, out)
	}
	if !res.OK() {
		return failure{fmt.Errorf("%s: %s", o.plan, out.Violations[0])}
	}
	return nil
}

func (a *soakFamily) readPlan(ctx context.Context, path string) (fleet.Plan, error) {
	src := a.stdin
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
	b, err := io.ReadAll(io.LimitReader(&interruptible{ctx: ctx, src: src}, fleet.MaxPlanSize+1))
	if err != nil {
		return fleet.Plan{}, err
	}
	return fleet.ParsePlan(b)
}

// printPlan shows what became of each machine.
func (a *soakFamily) printPlan(p *fleet.Plan, res *fleet.Result, out planResult) {
	fmt.Fprintf(a.stdout, "%s\n\n", planText(p))
	rows := newTable("MACHINE", "PHASE", "GONE", "MATCHES", "FRAMES", "HEALTH", "ERROR")
	for i, m := range res.Machines {
		frames, health := "-", "-"
		if n := len(m.Outcomes); n > 0 {
			frames, health = fmt.Sprint(m.Outcomes[n-1].Frames), m.Outcomes[n-1].Health.String()
		}
		rows.add(i, m.Phase, orDash(m.Gone), len(m.Outcomes), frames, health, orDash(errorText(m.Err)))
	}
	rows.print(a.stdout)
	fmt.Fprintf(a.stdout, "%.1f s, digest %s\n", out.Seconds, out.Digest)
	for _, v := range out.Violations {
		fmt.Fprintf(a.stdout, "FAILED: %s\n", v)
	}
	if out.OK {
		fmt.Fprintln(a.stdout, "ok")
	}
}
