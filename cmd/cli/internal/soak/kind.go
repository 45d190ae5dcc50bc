package soak

import (
	"context"
	"fmt"
	"time"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/fleet"
)

// kind is what sort of matches is played: between peers, or at a server.
type kind interface {
	// flag chooses it on the command line; it begins with a blank, or is empty.
	flag() string
	profiles() []string
	// takes is how many players a game is for, from the least to the most, and which numbers of
	// them are usual.
	takes(info *games.Info) (least, most int, usual []int)
	// refuses says why a game cannot be played so.
	refuses(g Game) error
	draw(g Game, seed uint64, profile string, players int, length time.Duration) (drawn, error)
	parse(b []byte) (drawn, error)
	// play plays a plan of this kind, as long as goOn says so.
	play(g Game, p plan, goOn func() bool) (outcome, error)
	// shrink looks for less for which fails reports true.
	shrink(p plan, fails func(plan) bool) drawn
	// heading, cells and legend are its table, behind what all kinds have.
	heading() []any
	cells(row *soakRow) []any
	legend() string
}

// kindOf is the kind that --served chooses, with what peers have without other flags.
func kindOf(served bool) kind {
	if served {
		return serverKind{}
	}
	return peerKind{mode: modeDrawn}
}

// plan is everything about one match: a *fleet.Plan or a *hosted.Plan.
type plan interface {
	fmt.Stringer
	JSON() []byte
}

// drawn is a plan, and what is said of it.
type drawn struct {
	plan    plan
	seed    uint64
	players int // at a server, its places
	profile string
}

// outcome is what became of a match.
type outcome struct {
	violations []fleet.Violation
	length     time.Duration
	digest     uint64
	watched    bool
	seen       uint64
	add        func(row *soakRow) // adds what only this kind counts
	machines   *console.Table
}

func (o *outcome) ok() bool { return len(o.violations) == 0 }

// playOnce plays a plan. A panic is an error.
func playOnce(ctx context.Context, k kind, g Game, p plan) (out outcome, err error) {
	err = console.CatchPanic(func() (err error) {
		out, err = k.play(g, p, func() bool { return ctx.Err() == nil })
		return err
	})
	return out, err
}

// shrinkPlan looks for less that fails in the same way, until ctx ends.
func shrinkPlan(ctx context.Context, k kind, g Game, p plan, checker string) drawn {
	return k.shrink(p, func(p plan) bool {
		if ctx.Err() != nil {
			return false
		}
		out, err := playOnce(ctx, k, g, p)
		return err == nil && !out.ok() && out.violations[0].Checker == checker
	})
}
