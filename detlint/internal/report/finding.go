// Package report outputs findings: suppressed where a comment gives a reason, as text, JSON or SARIF, compared with a
// baseline, and fixed where that is safe.
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
	Message  string // what was found, and why it diverges
	Fix      string // what to do instead
	Position token.Position
	Within   token.Position // the finding's own place, if Position is that of a call that leads to a library
	Game     string         // the game whose root reaches it; empty if that does not matter
	Role     string         // the function of the game: Step, Save, ...
	Chain    []Step         // the path from the root to the function that contains it
	Edits    []Edit         // edits that fix it; empty if that takes a person
	Caution  bool           // the edits change the program's behaviour on this machine

	claims []int // the claims that it disproves
}

// Step is a call on the path from a root.
type Step struct {
	Func     string
	Position token.Position // the position of the call; for the root, where it is passed to the game
}

// Text returns the finding in one line, without its position.
func (f Finding) Text() string {
	text := f.Rule + ": " + f.Message
	if f.Fix != "" {
		text += " (fix: " + f.Fix + ")"
	}
	return text
}

// Call describes step i of the chain in words.
func (f Finding) Call(i int) string {
	if i == 0 {
		return f.Role + " of " + f.Game + ": " + f.Chain[0].Func
	}
	return "calls " + f.Chain[i].Func
}

// Edit replaces a part of a file: bytes Start to End, exclusive.
type Edit = reach.Edit

// Findings returns the findings of a link, sorted by file and line.
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

// Order sorts findings by file and line.
func Order(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Position.Filename, b.Position.Filename), cmp.Compare(a.Position.Line, b.Position.Line),
			cmp.Compare(a.Position.Column, b.Position.Column), cmp.Compare(a.Rule, b.Rule))
	})
}
