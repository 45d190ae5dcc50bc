// Package unit examines one package at a time, as the go command and editors do: from its source, and from what was
// stored about the packages that it imports.
//
// The functions of a game are followed where the game is made: its package has them all, and what they reach is in
// packages that it imports. Problems that only a whole program shows, such as another type behind an interface, or
// another writer of a package variable, are found in the package main that imports both, and are reported there
// unless they were reported before.
package unit

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/facts"
	"github.com/tickback/tickback/detlint/internal/reach"
	"github.com/tickback/tickback/detlint/internal/report"
	"github.com/tickback/tickback/detlint/internal/rules"
	"github.com/tickback/tickback/detlint/internal/std"
	"github.com/tickback/tickback/detlint/internal/variants"
)

// Unit is a package with its source.
type Unit struct {
	Fset    *token.FileSet
	Files   []*ast.File
	Ignored []string // paths of files of the package that are for other machines or builds
	Pkg     *types.Package
	Info    *types.Info
	Module  string     // the path of its module; empty if that is not known
	Version string     // the version of the language
	Check   Check      // type-checks the package again; nil if it cannot
	Imports *facts.Set // about its imports; Examine adds what it finds about the package
	Options rules.Options
	Silent  bool // only the facts are requested

	Strict   bool // floats are judged as in a strict build
	Unproved bool // report what is not followed as findings
}

// Examine examines a package. Findings are sorted by file and line; some of them may be in files of packages that it
// imports.
func (u *Unit) Examine() ([]report.Finding, error) {
	if std.Known(u.Pkg.Path()) {
		return nil, nil
	}
	p := &reach.Program{
		SSA: ssa.NewProgram(u.Fset, ssa.InstantiateGenerics), Fset: u.Fset, Options: u.Options,
		Sources:   map[*types.Package]reach.PackageSource{},
		Elsewhere: u.Imports.Func, Imported: u.imported(),
	}
	borrowed, err := u.borrow()
	if err != nil {
		return nil, err
	}
	own := create(p, u, borrowed)
	if !u.Silent {
		p.Variants = variants.Find(variants.Package{Fset: u.Fset, Files: u.Files, Ignored: u.Ignored, Types: u.Pkg, Info: u.Info})
	}
	scan := p.NewScan()
	scan.Packages([]*ssa.Package{own})
	whole := scan.All()
	whole.Path = u.Pkg.Path()
	rest, malformed := report.Ignores(u.Fset, u.Files)
	stored := &facts.Package{Package: *whole, Module: u.Module, Ignores: rest}
	l := linked{Unit: u, own: stored}
	if !u.Silent {
		l.link()
	}
	found := l.found
	for _, f := range found {
		stored.Said = append(stored.Said, key(f))
	}
	slices.Sort(stored.Said)
	stored.Said = slices.Compact(stored.Said)
	if err := u.lend(stored); err != nil {
		return nil, err
	}
	u.Imports.Add(stored)
	if !u.Silent {
		found = append(found, malformed...)
		found = append(found, l.unused()...)
		report.Order(found)
	}
	return found, u.Imports.Err()
}

// imported returns what was stored about the packages that it imports.
func (u *Unit) imported() (list []*reach.Package) {
	for _, p := range u.Imports.All() {
		list = append(list, &p.Package)
	}
	return list
}

// create makes the SSA form of a package, of those that it has borrowed, and of what they import without the source.
func create(p *reach.Program, u *Unit, borrowed []*source) *ssa.Package {
	made := map[*types.Package]bool{u.Pkg: true}
	for _, b := range borrowed {
		made[b.pkg] = true
		p.Sources[b.pkg] = reach.PackageSource{Files: b.files, Info: b.info, Borrowed: true}
		p.SSA.CreatePackage(b.pkg, b.files, b.info, true)
	}
	seen := map[*types.Package]bool{}
	var all func(t *types.Package)
	all = func(t *types.Package) {
		if seen[t] {
			return
		}
		seen[t] = true
		if !made[t] {
			made[t] = true
			p.SSA.CreatePackage(t, nil, nil, true)
		}
		for _, i := range t.Imports() {
			all(i)
		}
	}
	all(u.Pkg)
	p.Sources[u.Pkg] = reach.PackageSource{Files: u.Files, Info: u.Info}
	own := p.SSA.CreatePackage(u.Pkg, u.Files, u.Info, true)
	p.SSA.Build()
	return own
}
