package unit

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tickback/tickback/detlint/internal/facts"
	"github.com/tickback/tickback/detlint/internal/reach"
	"github.com/tickback/tickback/detlint/internal/report"
)

// linked is a package with what its roots reach.
type linked struct {
	*Unit
	own   *facts.Package
	found []report.Finding
	used  map[int]bool // comments of the package that suppress something, by index
}

// link finds what the roots of the package reach, if it has any; and if it is a whole program, what the roots of its
// module reach in addition.
func (l *linked) link() {
	list := make([]reach.Reached, 0, len(l.own.Outside))
	for _, f := range l.own.Outside {
		list = append(list, reach.Reached{Finding: f})
	}
	said := map[string]bool{}
	roots := l.own.Roots
	var rest []*facts.Package
	whole := l.Pkg.Name() == "main" && l.Module != ""
	if whole || len(roots) > 0 {
		rest = l.Imports.All()
	}
	for _, p := range rest {
		if whole && p.Module == l.Module {
			roots = append(roots[:len(roots):len(roots)], p.Roots...)
			for _, k := range p.Said {
				said[k] = true
			}
			continue
		}
		for _, r := range p.Roots {
			if r.Setting() {
				roots = append(roots[:len(roots):len(roots)], r)
			}
		}
	}
	ignores := l.own.Ignores
	home := l.home(rest)
	if len(roots) > 0 {
		w := reach.World{Func: l.function, Packages: []*reach.Package{&l.own.Package}, Home: home, Strict: l.Strict}
		for _, p := range rest {
			w.Packages = append(w.Packages, &p.Package)
			ignores = append(ignores[:len(ignores):len(ignores)], p.Ignores...)
		}
		list = append(list, w.Link(roots).Found...)
	}
	kept, _, used := report.Filter(ignores, report.Findings(list))
	l.used = used
	for _, f := range report.AtHome(kept, home) {
		if !said[key(f)] && (l.Unproved || !f.Note()) {
			l.found = append(l.found, f)
		}
	}
}

// home returns a function that reports whether a file is in the module of the package.
func (l *linked) home(rest []*facts.Package) func(file string) bool {
	files := map[string]bool{}
	for _, p := range append([]*facts.Package{l.own}, rest...) {
		if p.Module == l.Module {
			for _, f := range p.Funcs {
				files[f.At.Filename] = true
			}
		}
	}
	return func(file string) bool { return files[file] || l.Module == "" }
}

// function returns the summary of a function, of this package or of what it imports.
func (l *linked) function(id string) *reach.Func {
	if f := l.own.Funcs[id]; f != nil {
		return f
	}
	return l.Imports.Func(id)
}

// key returns a text that identifies a finding.
func key(f report.Finding) string { return fmt.Sprint(f.Position, " ", f.Rule, " ", f.Message) }

// unused returns the findings about comments that suppress nothing. Whether the code of a comment is reached may only
// be known in another package.
func (l *linked) unused() (list []report.Finding) {
	code := report.CodeOf(maps.Values(l.own.Funcs))
	for i, s := range l.own.Ignores {
		if !l.used[i] && !slices.Contains(s.Rules, "copies") && !code.Answers(s) {
			list = append(list, s.Unused())
		}
	}
	return list
}
