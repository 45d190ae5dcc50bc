package programs

import (
	"fmt"
	"strings"

	"github.com/tickback/tickback/detlint/internal/load"
	"github.com/tickback/tickback/detlint/internal/reach"
	"github.com/tickback/tickback/detlint/internal/report"
)

// Checker runs the analyzer on programs. It reads the packages that they import once.
type Checker struct {
	base  *load.Base
	scan  *reach.Scan
	known *reach.Package
}

// NewChecker reads the packages that programs import, from the directory of the repository.
func NewChecker(root string) (*Checker, error) {
	base, err := load.NewBase(load.Config{Dir: root, Patterns: []string{".", "./rollback", "./fixed", "./rng", "./canon", "./portable", "./portable/math32"}}, Library()...)
	if err != nil {
		return nil, err
	}
	program, err := base.With(nil)
	if err != nil {
		return nil, err
	}
	scan := program.NewScan()
	return &Checker{base, scan, scan.Packages(program.Packages)}, nil
}

// directory has the files of all programs.
const directory = "/example.com/"

// Finding is something that the analyzer found in a program.
type Finding struct{ Rule, Text string }

// Examine runs the analyzer on packages, each after those that it imports. The error says what does not compile.
func (c *Checker) Examine(list []Package) ([]Finding, error) {
	var sources []load.New
	for _, p := range list {
		sources = append(sources, load.New{Path: p.Path, Source: p.Source})
	}
	p, err := c.base.Apart(sources)
	if err != nil {
		return nil, err
	}
	p.Elsewhere, p.Imported = c.scan.Func, []*reach.Package{c.known}
	scan := p.NewScan()
	own := scan.Packages(p.Packages)
	world := &reach.World{Func: scan.Func, Packages: []*reach.Package{own, c.known}, Home: func(file string) bool { return strings.HasPrefix(file, directory) }}
	reached := world.Link(own.Roots).Found
	for _, f := range own.Outside {
		reached = append(reached, reach.Reached{Finding: f})
	}
	var found []Finding
	findings, _ := report.Notes(report.Findings(reached))
	for _, f := range findings {
		found = append(found, Finding{f.Rule, fmt.Sprintf("%s:%d: %s: %s", f.Position.Filename, f.Position.Line, f.Rule, f.Message)})
	}
	return found, nil
}

// Verdict has the analyzer's results for both halves of a program.
type Verdict struct {
	Flawed, Twin []Finding
}

// Check examines both halves.
func (c *Checker) Check(p *Program) (v Verdict, err error) {
	base := fmt.Sprintf("%sp%d", directory[1:], p.Seed)
	if v.Flawed, err = c.Examine(p.Sources(base+"/bad", "main", true)); err != nil {
		return v, fmt.Errorf("%v: %w", p, err)
	}
	if v.Twin, err = c.Examine(p.Sources(base+"/good", "main", false)); err != nil {
		return v, fmt.Errorf("%v: its twin: %w", p, err)
	}
	return v, nil
}
