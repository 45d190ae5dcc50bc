package detlint

import (
	"go/parser"
	"go/token"
	"slices"
	"time"

	"github.com/tickback/tickback/detlint/internal/load"
	"github.com/tickback/tickback/detlint/internal/reach"
	"github.com/tickback/tickback/detlint/internal/report"
	"github.com/tickback/tickback/detlint/internal/rules"
)

// Finding is something in a step that may diverge.
type Finding = report.Finding

// Trusted is a finding that a comment in the source suppresses, with its reason.
type Trusted = report.Trusted

// RootError says that a function that was named is not in the program, or not the only one.
type RootError = reach.RootError

// Proof is the result for a function of a game.
type Proof = report.Proof

// Options says what is examined, and how.
type Options struct {
	Dir      string   // where patterns are resolved; "" means the working directory
	Patterns []string // packages, as the go command takes them; none means the package in Dir
	Tests    bool     // examine games in tests, too
	Tags     string   // build tags, separated by commas
	Roots    []string // more roots: package.Func, package.Type.Method, package, package/...
	NoFloats bool     // any float in a step is a finding
	Strict   bool     // floats are judged as in a strict build, regardless of the game: docs/floats.md
	Unproved bool     // what could not be followed is a finding, too
	Env      []string // the environment of the go command; nil means that of the process

	// Progress, if not nil, is called with a description of the current work and, if known, the number of packages
	// that are done and the number of all packages. Several goroutines call it.
	Progress func(what string, done, all int)

	overlay map[string][]byte // contents that replace those of files on the disk
}

// Result is the result of an examination.
type Result struct {
	Findings []Finding
	Unproved []Finding // what a game reaches and could not be followed; with Options.Unproved, these are among the findings
	Trusted  []Trusted // findings that comments in the source suppress
	Proofs   []Proof   // the result for each function of a game
	LeftOut  []string  // packages that could not be read, and why
	NotAsked []string  // packages of the module that have functions of a game and were not asked for
	Roots    int       // functions that are passed to games, marked or named
	Packages int       // whose source was read

	Functions int // the number of functions that were examined
	Calls     int // calls through interfaces and function values that were followed
	Open      int // the number of such calls for which no callee was found
	Took      time.Duration

	own map[string]bool // files of packages that were asked for
}

// unseen returns a finding about a file that cannot be examined, in a package that is to be examined completely.
func unseen(file string) reach.Reached {
	return reach.Reached{Finding: reach.Finding{
		Rule: "foreign", Message: "this file is for other machines or builds, or not in Go, so that it is not examined",
		At: token.Position{Filename: file, Line: 1, Column: 1},
	}}
}

// Run examines all matching packages, and what they import. Findings are sorted by file and line. The error is about
// packages that cannot be read, or a root that does not exist.
func Run(o Options) (*Result, error) {
	began := time.Now()
	p, err := load.Load(load.Config{Dir: o.Dir, Patterns: o.Patterns, Tests: o.Tests, Tags: o.Tags, Env: o.Env, Overlay: o.overlay, All: len(o.Roots) > 0, Progress: o.Progress})
	if err != nil || p == nil {
		return &Result{}, err
	}
	p.Options = rules.Options{NoFloats: o.NoFloats}
	if o.Progress != nil {
		o.Progress("examining what they have", 0, 0)
	}
	scan := p.NewScan()
	known := scan.Packages(p.Packages)
	r := &Result{Packages: len(p.Packages), own: p.Asked}
	var roots, settings []reach.Root
	for _, root := range known.Roots {
		file := root.Call.At.Filename
		if root.Setting() {
			settings = append(settings, root)
		} else if p.Asked[file] {
			roots = append(roots, root)
		} else if path := p.Home[file]; path != "" && !slices.Contains(r.NotAsked, path) {
			r.NotAsked = append(r.NotAsked, path)
		}
	}
	more, err := scan.Named(o.Roots)
	if err != nil {
		return nil, err
	}
	roots = append(roots, more...)
	home := func(file string) bool { return p.Asked[file] || p.Home[file] != "" }
	world := &reach.World{Func: scan.Func, Packages: []*reach.Package{known}, Home: home, Left: map[string]string{}, Strict: o.Strict}
	for _, l := range p.Left {
		world.Left[l.Path] = l.Reason
		r.LeftOut = append(r.LeftOut, l.Path+": "+l.Reason)
	}
	linked := world.Link(slices.Concat(roots, settings))
	found := linked.Found
	for _, f := range known.Outside {
		if p.Asked[f.At.Filename] {
			found = append(found, reach.Reached{Finding: f})
		}
	}
	for _, l := range p.Left {
		if l.Asked {
			found = append(found, reach.Reached{Finding: reach.Finding{
				Rule: rules.Unproved, Message: "package " + l.Path + " was not examined: " + l.Reason,
				At: token.Position{Filename: l.File, Line: 1, Column: 1},
			}})
		}
	}
	syntax := p.Syntax()
	for _, u := range p.Unseen {
		if slices.ContainsFunc(o.Roots, func(root string) bool { return reach.StandsFor(root, u.Package) }) {
			found = append(found, unseen(u.File))
			if f, err := parser.ParseFile(p.Fset, u.File, nil, parser.ParseComments|parser.SkipObjectResolution); err == nil {
				syntax = append(syntax, f) // a comment in it may say why it need not be examined
			}
		}
	}
	unreached := func(files map[string]bool) []*reach.Func { return scan.Unreached(files, linked.Reached) }
	all, trusted := report.Suppress(p.Fset, syntax, p.Asked, unreached, report.Findings(found))
	all = report.AtHome(all, home)
	r.Proofs = report.Proofs(linked.Claims, all, trusted)
	r.Findings, r.Unproved = report.Notes(all)
	if o.Unproved {
		r.Findings, r.Unproved = all, nil
	}
	r.Trusted = trusted
	r.Roots, r.Functions, r.Calls, r.Open = len(roots), functions(linked.Reached), linked.Resolved, linked.Open
	slices.Sort(r.NotAsked)
	r.Took = time.Since(began)
	return r, nil
}

// functions counts functions by their positions: instances of a generic function count once.
func functions(list []*reach.Func) int {
	at := map[token.Position]bool{}
	for _, f := range list {
		at[f.At] = true
	}
	return len(at)
}
