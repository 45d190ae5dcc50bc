package inject

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tickback/tickback/detlint/internal/load"
	"github.com/tickback/tickback/detlint/internal/reach"
	"github.com/tickback/tickback/detlint/internal/report"
)

// Target is a game into which faults are put.
type Target struct {
	Dir    string // the directory of its package, relative to the module
	Places []Place

	root, module string
	base         *load.Base
	source       map[string]string
}

// Open reads a game, and also the packages that a fault may import.
func Open(root, module, dir string) (*Target, error) {
	base, err := load.NewBase(load.Config{Dir: root, Patterns: []string{"./" + dir}}, Library()...)
	if err != nil {
		return nil, err
	}
	t := &Target{Dir: dir, root: root, module: module, base: base, source: map[string]string{}}
	program, err := base.With(nil)
	if err != nil {
		return nil, err
	}
	scan := program.NewScan()
	known := scan.Packages(program.Packages)
	world := &reach.World{Func: scan.Func, Packages: []*reach.Package{known}}
	reached := map[token.Position]bool{}
	for _, f := range world.Link(roots(program, known)).Reached {
		reached[plain(f.At)] = true
	}
	for _, p := range base.Packages() {
		if p.PkgPath == module+"/"+dir {
			t.Places = Places(base.Fset(), p, reached)
		}
	}
	if len(t.Places) == 0 {
		return nil, fmt.Errorf("%s has no place for a fault", dir)
	}
	return t, nil
}

func roots(p *load.Program, known *reach.Package) []reach.Root {
	return slices.DeleteFunc(slices.Clone(known.Roots), func(r reach.Root) bool { return !p.Asked[r.Call.At.Filename] })
}

// Library returns the packages that the code of kinds and shapes imports.
func Library() (list []string) {
	for _, code := range codes() {
		for _, m := range imported.FindAllStringSubmatch(code, -1) {
			if m[1] != "other" && m[1] != "unsafe" && !slices.Contains(list, m[1]) {
				list = append(list, m[1])
			}
		}
	}
	slices.Sort(list)
	return list
}

func codes() (list []string) {
	for _, k := range Kinds {
		list = append(list, k.Decl, k.Body)
	}
	for _, s := range Shapes {
		list = append(list, s.Decl, s.Other, s.Call)
	}
	return list
}

// Patch returns an empty patch of the module.
func (t *Target) Patch() *Patch { return NewPatch(t.root, t.module, t.read) }

func (t *Target) read(name string) string {
	if s, ok := t.source[name]; ok {
		return s
	}
	b, _ := os.ReadFile(name) // it has already been read to find the places
	t.source[name] = string(b)
	return t.source[name]
}

// PackageOf returns the name of the package in a directory, or "" if there is none.
func (t *Target) PackageOf(dir string) string {
	for _, p := range t.base.Packages() {
		if len(p.GoFiles) > 0 && filepath.Dir(p.GoFiles[0]) == dir {
			return p.Name
		}
	}
	return ""
}

// Verdict is the analyzer's result for a fault.
type Verdict struct {
	Found bool     // by a rule of the kind, on a line at fault
	Near  []string // all findings, for people
}

// Examine puts one fault into the game, and runs the analyzer. The error is about a fault that does not compile.
func (t *Target) Examine(f *Fault) (Verdict, error) {
	patch := t.Patch()
	patch.Add(f, "")
	files := patch.Files(t.PackageOf)
	program, err := t.base.With(files)
	if err != nil {
		return Verdict{}, fmt.Errorf("fault %v does not compile: %w", f, err)
	}
	scan := program.NewScan()
	known := scan.Packages(program.Packages)
	world := &reach.World{Func: scan.Func, Packages: []*reach.Package{known}}
	linked := world.Link(roots(program, known))
	unreached := func(files map[string]bool) []*reach.Func { return scan.Unreached(files, linked.Reached) }
	list, _ := report.Suppress(program.Fset, program.Syntax(), program.Asked, unreached, report.Findings(linked.Found))
	lines := Lines(files)
	var v Verdict
	for _, x := range list {
		v.Found = v.Found || lines[x.Position.Filename][x.Position.Line] && slices.Contains(f.Kind.Rules, x.Rule)
		v.Near = append(v.Near, fmt.Sprintf("%s:%d: %s: %s", strings.TrimPrefix(x.Position.Filename, t.root+"/"), x.Position.Line, x.Rule, x.Message))
	}
	return v, nil
}
