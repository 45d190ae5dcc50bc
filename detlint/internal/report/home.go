package report

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// libraryFix is what a user can do about a finding in other people's code.
const libraryFix = "do not call it in a step: what it tells has to come as an input of the frame, or as a parameter of the match"

// AtHome moves each finding in other people's code to the line of the user's own code that leads there: the last call
// on the path from the root that is in a file of home. Findings behind the same call become one, with the shortest
// path, and the rules of the others.
func AtHome(list []Finding, home func(file string) bool) []Finding {
	type call struct {
		at, callee string
		note       bool
	}
	var order []call
	behind := map[call][]Finding{}
	kept := make([]Finding, 0, len(list))
	for _, f := range list {
		i := -1
		if !home(f.Position.Filename) {
			i = f.leaves(home)
		}
		if i < 0 {
			kept = append(kept, f)
			continue
		}
		c := call{f.Chain[i].Position.String(), f.Chain[i].Func, f.Note()}
		if behind[c] == nil {
			order = append(order, c)
		}
		behind[c] = append(behind[c], f)
	}
	for _, c := range order {
		kept = append(kept, told(behind[c], home))
	}
	Order(kept)
	return kept
}

// told combines the findings behind a call.
func told(list []Finding, home func(file string) bool) Finding {
	slices.SortStableFunc(list, func(a, b Finding) int { return len(a.Chain) - len(b.Chain) })
	f := list[0].from(list[0].leaves(home))
	var also []string
	for _, g := range list[1:] {
		f.claims = append(slices.Clip(f.claims), g.claims...)
		if g.Rule != f.Rule && !slices.Contains(also, g.Rule) {
			also = append(also, g.Rule)
		}
	}
	slices.Sort(f.claims)
	f.claims = slices.Compact(f.claims)
	if len(list) > 1 {
		f.Message += "; more is behind this call"
	}
	if slices.Sort(also); len(also) > 0 {
		f.Message += ", also of " + strings.Join(also, ", ")
	}
	return f
}

// leaves returns the last step of the chain whose call is in the user's own code, or -1.
func (f Finding) leaves(home func(file string) bool) int {
	for i := len(f.Chain) - 1; i >= 0; i-- {
		if home(f.Chain[i].Position.Filename) {
			return i
		}
	}
	return -1
}

// from returns the finding as it is reported at step i of its chain.
func (f Finding) from(i int) Finding {
	f.Within, f.Position = f.Position, f.Chain[i].Position
	verb := "it calls"
	if i == 0 {
		verb = "this is"
	}
	file := filepath.ToSlash(f.Within.Filename)
	f.Message = fmt.Sprintf("%s %s, and there (%s:%d): %s", verb, f.Chain[i].Func, path.Join(path.Base(path.Dir(file)), path.Base(file)), f.Within.Line, f.Message)
	f.Edits, f.Caution = nil, false
	if !f.Note() {
		f.Fix = libraryFix
	}
	return f
}
