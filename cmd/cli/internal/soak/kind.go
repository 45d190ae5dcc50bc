package soak

import (
	"context"
	"fmt"
	"time"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/fleet"
)

// kind is the kind of matches that are played: between peers, or at a server.
type kind interface {
	// flag returns the flag that selects the kind, with a leading blank; empty for the default.
	flag() string
	profiles() []string
	// takes returns how many players a game supports, from the least to the most, and which numbers are played by
	// default.
	takes(info *games.Info) (least, most int, usual []int)
	// refuses returns the reason why a game cannot be played in this kind of match, or nil.
	refuses(g Game) error
	draw(g Game, seed uint64, profile string, players int, length time.Duration) (drawn, error)
	parse(b []byte) (drawn, error)
	// play plays a plan of this kind, as long as goOn returns true.
	play(g Game, p plan, goOn func() bool) (outcome, error)
	// shrink searches for a smaller plan for which fails returns true.
	shrink(p plan, fails func(plan) bool) drawn
	// heading, cells and legend are for the columns that only this kind has. They follow those that all kinds have.
	heading() []any
	cells(row *soakRow) []any
	legend() string
}

// kindOf returns the kind of matches for the flag --served. For matches between peers, it has the defaults of the other
// flags.
func kindOf(served bool) kind {
	if served {
		return serverKind{}
	}
	return peerKind{mode: modeDrawn}
}

// plan describes one match completely: it is a *fleet.Plan or a *hosted.Plan.
type plan interface {
	fmt.Stringer
	JSON() []byte
}

// drawn is a plan, and its description.
type drawn struct {
	plan    plan
	seed    uint64
	players int // at a server, the number of places
	profile string
}

// outcome is the result of a match.
type outcome struct {
	violations []fleet.Violation
	length     time.Duration
	digest     uint64
	watched    bool
	seen       uint64
	add        func(row *soakRow) // adds the counts that only this kind has
	machines   *console.Table
}

func (o *outcome) ok() bool { return len(o.violations) == 0 }

// playOnce plays a plan. It returns a panic as an error.
func playOnce(ctx context.Context, k kind, g Game, p plan) (out outcome, err error) {
	err = console.CatchPanic(func() (err error) {
		out, err = k.play(g, p, func() bool { return ctx.Err() == nil })
		return err
	})
	return out, err
}

// shrinkPlan searches for a smaller plan that fails in the same way, until ctx ends.
func shrinkPlan(ctx context.Context, k kind, g Game, p plan, checker string) drawn {
	return k.shrink(p, func(p plan) bool {
		if ctx.Err() != nil {
			return false
		}
		out, err := playOnce(ctx, k, g, p)
		return err == nil && !out.ok() && out.violations[0].Checker == checker
	})
}
