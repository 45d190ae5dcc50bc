// Package unit examines one package at a time, as the go command and editors do: from its source,
// and from what was stored of the packages that it imports.
//
// The functions of a game are followed where the game is put together: its package has them all,
// and what they reach is in packages that it imports. What only a whole program knows, such as
// another type behind an interface, or another writer of a package variable, is found in the
// package main that imports both, and reported there if it was not before.
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
)

// Unit is a package with its source.
type Unit struct {
	Fset    *token.FileSet
	Files   []*ast.File
	Pkg     *types.Package
	Info    *types.Info
	Module  string     // the path of its module; empty if that is not known
	Imports *facts.Set // of what it imports; Examine adds what it finds of the package
	Options rules.Options
	Silent  bool // only the facts are asked for
}

// Examine examines a package. Findings come in the order of files and lines; some of them may be
// in files of packages that it imports.
func (u *Unit) Examine() ([]report.Finding, error) {
	if std.Known(u.Pkg.Path()) {
		return nil, nil
	}
	p := &reach.Program{
		SSA: ssa.NewProgram(u.Fset, ssa.InstantiateGenerics), Fset: u.Fset, Options: u.Options,
		Sources:   map[*types.Package]reach.Source{u.Pkg: {Files: u.Files, Info: u.Info}},
		Elsewhere: u.Imports.Func,
	}
	imports(p.SSA, u.Pkg, map[*types.Package]bool{})
	own := p.SSA.CreatePackage(u.Pkg, u.Files, u.Info, true)
	own.Build()
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
	u.Imports.Add(stored)
	if !u.Silent {
		found = append(found, malformed...)
		found = append(found, l.unused()...)
		report.Order(found)
	}
	return found, u.Imports.Err()
}

// imports makes packages without source of all that a package imports.
func imports(p *ssa.Program, t *types.Package, made map[*types.Package]bool) {
	for _, i := range t.Imports() {
		if !made[i] {
			made[i] = true
			imports(p, i, made)
			p.CreatePackage(i, nil, nil, true)
		}
	}
}
