package unit

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/gcexportdata"

	"github.com/tickback/tickback/detlint/internal/facts"
	"github.com/tickback/tickback/detlint/internal/std"
)

// Check type-checks the package again, with some given packages that it imports, directly or not, and that have to be
// used.
type Check func(given map[string]*types.Package) (*types.Package, *types.Info, error)

// source is a package that was read from its source, for its generic functions.
type source struct {
	pkg   *types.Package
	files []*ast.File
	info  *types.Info
}

// An instance of a generic function is examined where it is made: only there its type arguments are known. So a
// package that makes instances of functions of others needs the source of these. Their facts say which files they
// have, and contain the types of what they import; all of it comes from the same version of the source as the facts
// do.

// borrow reads the packages whose generic code this one instantiates, after the generic packages that those import
// themselves. The types of the package are new afterwards.
func (u *Unit) borrow() ([]*source, error) {
	if u.Check == nil {
		return nil, nil
	}
	b := &borrower{Unit: u, read: map[string]*types.Package{"unsafe": types.Unsafe}, begun: map[string]bool{}}
	for _, path := range u.instances() {
		if err := b.take(path); err != nil {
			return nil, err
		}
	}
	if len(b.sources) == 0 {
		return nil, nil
	}
	pkg, info, err := u.Check(b.read)
	if err != nil {
		return nil, fmt.Errorf("checking %s again: %w", u.Pkg.Path(), err)
	}
	u.Pkg, u.Info = pkg, info
	return b.sources, nil
}

// instances returns the packages whose generic functions or types are instantiated by the package.
func (u *Unit) instances() (paths []string) {
	add := func(obj types.Object) {
		if p := obj.Pkg(); p != nil && p != u.Pkg && lends(p.Path()) && !slices.Contains(paths, p.Path()) {
			paths = append(paths, p.Path())
		}
	}
	for id := range u.Info.Instances {
		if obj := u.Info.Uses[id]; obj != nil {
			add(obj)
		}
	}
	for _, s := range u.Info.Selections {
		if f, ok := s.Obj().(*types.Func); ok && f.Origin() != f {
			add(f)
		}
	}
	slices.Sort(paths)
	return paths
}

// lends reports whether the functions of a package are examined: those of the library and of the engine are described
// by tables.
func lends(path string) bool { return !std.Known(path) && !std.Trusted(path) }

type borrower struct {
	*Unit
	read    map[string]*types.Package
	begun   map[string]bool
	sources []*source
}

// take reads a package from its source, if that is known, after those that it imports.
func (b *borrower) take(path string) error {
	p := b.Imports.Package(path)
	if p == nil || len(p.Source.Files) == 0 || b.begun[path] {
		return nil
	}
	b.begun[path] = true
	for _, i := range p.Source.Imports {
		if lends(i) {
			if err := b.take(i); err != nil {
				return err
			}
		}
	}
	s := &source{info: newInfo()}
	for _, name := range p.Source.Files {
		f, err := parser.ParseFile(b.Fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		s.files = append(s.files, f)
	}
	c := types.Config{Importer: importer(b.load), Sizes: types.SizesFor("gc", build.Default.GOARCH), GoVersion: p.Source.GoVersion}
	var err error
	if s.pkg, err = c.Check(path, b.Fset, s.files, s.info); err != nil {
		return fmt.Errorf("reading %s for its generic functions: %w", path, err)
	}
	b.read[path] = s.pkg
	b.sources = append(b.sources, s)
	return nil
}

// load reads the types of what a borrowed package imports.
func (b *borrower) load(path string) (*types.Package, error) {
	if p := b.read[path]; p != nil && p.Complete() {
		return p, nil
	}
	for full := range strings.SplitSeq("vendor/"+path+" "+path, " ") {
		if data := b.Imports.Types(full); data != nil {
			return gcexportdata.Read(bytes.NewReader(data), b.Fset, b.read, full)
		}
	}
	return nil, fmt.Errorf("the facts have no types of %s", path)
}

// lend stores what other packages need to make instances of the generic functions of the package.
func (u *Unit) lend(p *facts.Package) error {
	if u.Check == nil || !lends(u.Pkg.Path()) || !generic(u.Pkg, u.Info) {
		return nil
	}
	p.Source.GoVersion = u.Version
	for _, f := range u.Files {
		p.Source.Files = append(p.Source.Files, u.Fset.PositionFor(f.FileStart, false).Filename)
	}
	for _, i := range u.Pkg.Imports() {
		p.Source.Imports = append(p.Source.Imports, i.Path())
		if i == types.Unsafe || u.Imports.HasTypes(i.Path()) {
			continue
		}
		var data bytes.Buffer
		if err := gcexportdata.Write(&data, u.Fset, i); err != nil {
			return fmt.Errorf("storing the types of %s: %w", i.Path(), err)
		}
		u.Imports.AddTypes(i.Path(), data.Bytes())
	}
	slices.Sort(p.Source.Imports)
	return nil
}

// generic reports whether a package has functions or methods with type parameters.
func generic(pkg *types.Package, info *types.Info) bool {
	for _, obj := range info.Defs {
		if f, ok := obj.(*types.Func); ok && f.Pkg() == pkg {
			if s := f.Signature(); s.TypeParams() != nil || s.RecvTypeParams() != nil {
				return true
			}
		}
	}
	return false
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
}

type importer func(path string) (*types.Package, error)

// Import implements [types.Importer].
func (f importer) Import(path string) (*types.Package, error) { return f(path) }
