// Package report says what has been found: suppressed where a reason says so, as text, JSON or
// SARIF, compared with a baseline, and mended where that is safe.
package report

import (
	"cmp"
	"go/token"
	"slices"

	"github.com/tickback/tickback/detlint/internal/reach"
	"github.com/tickback/tickback/detlint/internal/rules"
)

// Finding is something in a step that may diverge.
type Finding struct {
	Rule     string
	Message  string // what is there, and why it diverges
	Fix      string // what to do instead
	Position token.Position
	Within   token.Position // the place itself, if Position is that of a call which leads to a library
	Game     string         // the game whose root reaches it; empty if that does not matter
	Role     string         // the function of the game: Step, Save, ...
	Chain    []Step         // from the root to the function that has it
	Edits    []Edit         // that mend it; empty if that takes a person
	Caution  bool           // the edits change what the program does on this machine

	claims []int // that do not hold because of it
}

// Step is a call on the way from a root.
type Step struct {
	Func     string
	Position token.Position // of the call; of the root, where it is given to the game
}

// Text is the finding in one line, without its place.
func (f Finding) Text() string {
	text := f.Rule + ": " + f.Message
	if f.Fix != "" {
		text += " (fix: " + f.Fix + ")"
	}
	return text
}

// Call says step i of the chain in words.
func (f Finding) Call(i int) string {
	if i == 0 {
		return f.Role + " of " + f.Game + ": " + f.Chain[0].Func
	}
	return "calls " + f.Chain[i].Func
}

// Edit replaces a part of a file: bytes Start to End, exclusive.
type Edit = reach.Edit

// Findings are what a link has found, in the order of files and lines.
func Findings(list []reach.Reached) []Finding {
	found := make([]Finding, 0, len(list))
	for _, r := range list {
		f := Finding{
			Rule: r.Rule, Message: r.Message, Position: r.At, Game: r.Game, Role: r.Role,
			Edits: r.Edits, Caution: r.Caution, claims: r.Claims,
		}
		if rule := rules.Get(r.Rule); r.Fix != "" {
			f.Fix = r.Fix
		} else if rule != nil {
			f.Fix = rule.Fix
		}
		for _, s := range r.Chain {
			f.Chain = append(f.Chain, Step{s.Name, s.At})
		}
		found = append(found, f)
	}
	Order(found)
	return found
}

// Order sorts findings by their files and lines.
func Order(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Position.Filename, b.Position.Filename), cmp.Compare(a.Position.Line, b.Position.Line),
			cmp.Compare(a.Position.Column, b.Position.Column), cmp.Compare(a.Rule, b.Rule))
	})
}
