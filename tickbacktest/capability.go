package tickbacktest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

func needsSave[S any, I comparable](game rollback.Definition[S, I]) error {
	if !rollback.CapabilitiesOf(game).Save {
		return &rollback.CapabilityError{Missing: "Save", For: "rolling back, as a sync test does,"}
	}
	return nil
}

func needsNew[S any, I comparable](game rollback.Definition[S, I]) error {
	if !rollback.CapabilitiesOf(game).New {
		return fmt.Errorf("%w: without it there cannot be two instances of the game at once",
			&rollback.CapabilityError{Missing: "New", For: "a comparison of twins"})
	}
	return nil
}

// savedInPlace reports whether a game is saved by a saver (rollback.SaveInPlace), and whether that hashes it as well. A saver
// sees all that the state leads to, and knows by itself how two snapshots differ, and how they are encoded if they can be:
// what a game that writes its own functions should give for this has no use here.
func savedInPlace[S any, I comparable](game rollback.Definition[S, I]) (saved, hashed bool) {
	g, ok := game.(rollback.OwnMemory[S, canon.Memento[S], I])
	return ok, ok && g.Slots.Hash != nil
}

// omissions lists the parts of a check that are left out because the game lacks functions, one per line.
type omissions struct{ lines []string }

// omit records that a part of a check is not run, and which functions the game needs for it.
func (o *omissions) omit(part, needs string) {
	line := part + ": give " + needs
	if !slices.Contains(o.lines, line) {
		o.lines = append(o.lines, line)
	}
}

// String lists the omissions, one per line.
func (o *omissions) String() string {
	var b strings.Builder
	for _, l := range o.lines {
		b.WriteString("\n  - " + l)
	}
	return b.String()
}

// viewer shows states.
type viewer[S any] struct {
	plan     *canon.Plan[S] // nil if the state is not plain
	describe func(s *S) any // nil if the game does not have one
}

func newViewer[S any, I comparable](game rollback.Definition[S, I]) (v viewer[S]) {
	if v.describe = rollback.CapabilitiesOf(game).Describe; v.describe == nil {
		v.plan, _ = canon.PlanFor[S](canon.AllowFloats)
	}
	return v
}

// blind reports whether the only way to show a state is to walk its memory.
func (v viewer[S]) blind() bool { return v.plan == nil && v.describe == nil }

// mostDifferences is the maximum number of differences that a report lists.
const mostDifferences = 16

// diff returns how the states of two instances differ.
func (v viewer[S]) diff(a, b *S) (canon.Report, error) {
	switch {
	case v.plan != nil:
		return v.plan.Diff(a, b, mostDifferences), nil
	case v.describe != nil:
		return canon.DiffAny(v.describe(a), v.describe(b), mostDifferences)
	}
	return canon.DiffAny(a, b, mostDifferences)
}

// look is the description of a state at one moment.
type look struct {
	value any
	sum   uint64
	ok    bool
}

// look describes a state. ok is false if the game has no Describe, or if it returns nothing that canon can walk.
func (v viewer[S]) look(s *S) look {
	if v.describe == nil {
		return look{}
	}
	value := v.describe(s)
	sum, err := canon.HashAny(value)
	return look{value, sum, err == nil}
}

// changed reports whether two looks show different states.
func (l look) changed(other look) bool { return l.ok && other.ok && l.sum != other.sum }

// diff returns how two looks differ.
func (l look) diff(other look) (canon.Report, error) {
	return canon.DiffAny(l.value, other.value, mostDifferences)
}
