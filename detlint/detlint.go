package detlint

import (
	"go/parser"
	"go/token"
	"slices"

	"github.com/tickback/tickback/detlint/internal/load"
	"github.com/tickback/tickback/detlint/internal/reach"
	"github.com/tickback/tickback/detlint/internal/report"
	"github.com/tickback/tickback/detlint/internal/rules"
)

// Finding is something in a step that may diverge.
type Finding = report.Finding

// Options says what is examined, and how.
type Options struct {
	Dir      string   // where patterns are resolved; "" is the working directory
	Patterns []string // packages, as the go command takes them; none is the package in Dir
	Tests    bool     // examine games in tests, too
	Tags     string   // build tags, separated by commas
	Roots    []string // more roots: package.Func, package.Type.Method
	NoFloats bool     // any float in a step is a finding
	Env      []string // the environment of the go command; nil is that of the process

	overlay map[string][]byte // what files have instead of what is on the disk
}

// Result is what an examination has found.
type Result struct {
	Findings []Finding
	Roots    int // functions that are given to games, marked or named
	Packages int // whose source was read

	own map[string]bool // files of packages that were asked for
}

// unseen is a finding about a file of a package that is to be examined as a whole.
func unseen(file string) reach.Reached {
	return reach.Reached{Finding: reach.Finding{
		Rule: "foreign", Message: "this file is for other machines or builds, or not in Go, so that it is not examined",
		At: token.Position{Filename: file, Line: 1, Column: 1},
	}}
}

// Run examines all packages that match, and what they import. Findings come in the order of
// files and lines. The error is about packages that cannot be read, or a root that is not there.
func Run(o Options) (*Result, error) {
	p, err := load.Load(load.Config{Dir: o.Dir, Patterns: o.Patterns, Tests: o.Tests, Tags: o.Tags, Env: o.Env, Overlay: o.overlay, All: len(o.Roots) > 0})
	if err != nil || p == nil {
		return &Result{}, err
	}
	p.Options = rules.Options{NoFloats: o.NoFloats}
	scan := p.NewScan()
	known := scan.Packages(p.Packages)
	roots := slices.DeleteFunc(slices.Clone(known.Roots), func(r reach.Root) bool { return !p.Asked[r.Call.At.Filename] })
	more, err := scan.Named(o.Roots)
	if err != nil {
		return nil, err
	}
	roots = append(roots, more...)
	world := &reach.World{Func: scan.Func, Packages: []*reach.Package{known}}
	found, functions := world.Link(roots)
	for _, f := range known.Outside {
		if p.Asked[f.At.Filename] {
			found = append(found, reach.Reached{Finding: f})
		}
	}
	syntax := p.Syntax()
	for _, u := range p.Unseen {
		if slices.ContainsFunc(o.Roots, func(root string) bool { return reach.StandsFor(root, u.Package) }) {
			found = append(found, unseen(u.File))
			if f, err := parser.ParseFile(p.Fset, u.File, nil, parser.ParseComments|parser.SkipObjectResolution); err == nil {
				syntax = append(syntax, f) // it may say why it need not be examined
			}
		}
	}
	unreached := func(files map[string]bool) []*reach.Func { return scan.Unreached(files, functions) }
	all := report.Suppress(p.Fset, syntax, p.Asked, unreached, report.Findings(found))
	return &Result{Findings: all, Roots: len(roots), Packages: len(p.Packages), own: p.Asked}, nil
}
