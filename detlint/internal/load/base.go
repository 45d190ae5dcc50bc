package load

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/tickback/tickback/detlint/internal/std"
)

// Base is a program that is read once. Variants of it are made by changing individual files.
type Base struct {
	fset   *token.FileSet
	listed []*packages.Package
	read   []*packages.Package       // with source, each after those that it imports
	types  map[string]*types.Package // all packages that can be imported
	roots  map[string]string         // paths of packages, by directory
}

// NewBase reads a program, with additional packages of the library that variants may import.
func NewBase(c Config, library ...string) (*Base, error) {
	cfg := &packages.Config{Mode: listing, Dir: c.Dir, Env: c.Env}
	listed, err := packages.Load(cfg, c.Patterns...)
	if err != nil {
		return nil, fmt.Errorf("listing packages: %w", err)
	}
	if err := failures(listed); err != nil {
		return nil, err
	}
	b := &Base{fset: token.NewFileSet(), listed: listed, types: map[string]*types.Package{}, roots: map[string]string{}}
	cfg.Mode, cfg.Fset = packages.LoadSyntax|packages.NeedModule, b.fset
	read, err := packages.Load(cfg, append(choose(listed, true), library...)...)
	if err != nil {
		return nil, fmt.Errorf("reading packages: %w", err)
	}
	if err := failures(read); err != nil {
		return nil, err
	}
	packages.Visit(read, nil, func(p *packages.Package) { // dependencies come first
		if p.Types != nil {
			b.types[p.PkgPath] = p.Types
		}
		if slices.Contains(read, p) && !std.Known(p.PkgPath) {
			b.read = append(b.read, p)
			if len(p.GoFiles) > 0 {
				b.roots[filepath.Dir(p.GoFiles[0])] = p.PkgPath
			}
		}
	})
	return b, nil
}

// Packages returns the packages whose source was read.
func (b *Base) Packages() []*packages.Package { return b.read }

// Fset returns the file set of the program, and of all variants.
func (b *Base) Fset() *token.FileSet { return b.fset }

// With makes a variant, in which some files have other contents, or are new. A new directory is a package named after
// the directory. It must be in an existing package's directory, and may only import the library. The error says what
// does not compile.
func (b *Base) With(files map[string]string) (*Program, error) {
	v := variant{Base: b, files: files, types: maps.Clone(b.types), dirty: map[string]bool{}}
	var read []*packages.Package
	for _, dir := range v.added() {
		p, err := v.check(&packages.Package{PkgPath: v.path(dir), ID: v.path(dir)}, dir)
		if err != nil {
			return nil, err
		}
		read = append(read, p)
	}
	for _, p := range b.read {
		if !v.changes(p) {
			read = append(read, p)
			continue
		}
		p, err := v.check(p, filepath.Dir(p.GoFiles[0]))
		if err != nil {
			return nil, err
		}
		read = append(read, p)
	}
	return compile(b.fset, read, b.listed), nil
}

type variant struct {
	*Base
	files map[string]string
	types map[string]*types.Package
	dirty map[string]bool // packages that differ from those of the base
}

// added returns the directories of packages that the base does not have.
func (v *variant) added() (list []string) {
	for _, name := range slices.Sorted(maps.Keys(v.files)) {
		if dir := filepath.Dir(name); v.roots[dir] == "" && !slices.Contains(list, dir) {
			list = append(list, dir)
		}
	}
	return list
}

func (v *variant) path(dir string) string {
	for up := filepath.Dir(dir); up != filepath.Dir(up); up = filepath.Dir(up) {
		for known, path := range v.roots {
			if rel, err := filepath.Rel(up, known); err == nil && !strings.HasPrefix(rel, "..") && strings.HasSuffix(path, filepath.ToSlash(rel)) {
				below, _ := filepath.Rel(up, dir)
				return strings.TrimSuffix(path, filepath.ToSlash(rel)) + filepath.ToSlash(below)
			}
		}
	}
	return filepath.Base(dir)
}

// changes reports whether a package differs from that of the base.
func (v *variant) changes(p *packages.Package) bool {
	for name := range v.files {
		if len(p.GoFiles) > 0 && filepath.Dir(name) == filepath.Dir(p.GoFiles[0]) {
			return true
		}
	}
	for path := range p.Imports {
		if v.dirty[path] {
			return true
		}
	}
	return false
}

// check compiles a package of the variant.
func (v *variant) check(p *packages.Package, dir string) (*packages.Package, error) {
	q := *p
	q.Syntax = nil
	for i, f := range p.Syntax {
		if _, changed := v.files[p.CompiledGoFiles[i]]; !changed {
			q.Syntax = append(q.Syntax, f)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.files)) {
		if filepath.Dir(name) != dir {
			continue
		}
		f, err := parser.ParseFile(v.fset, name, v.files[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		q.Syntax = append(q.Syntax, f)
	}
	slices.SortFunc(q.Syntax, func(a, b *ast.File) int {
		return strings.Compare(v.fset.Position(a.Pos()).Filename, v.fset.Position(b.Pos()).Filename)
	})
	q.TypesInfo = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: v, GoVersion: std.Version, Sizes: types.SizesFor("gc", "amd64")}
	var err error
	if q.Types, err = conf.Check(q.PkgPath, v.fset, q.Syntax, q.TypesInfo); err != nil {
		return nil, err
	}
	v.types[q.PkgPath], v.dirty[q.PkgPath] = q.Types, true
	return &q, nil
}

// Import returns a package of the variant, or of the base.
func (v *variant) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := v.types[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s is not there", path)
}

// New is a package for Apart to compile.
type New struct{ Path, Source string }

// Apart makes a program from new packages only, each after those that it imports. For the packages of the base that
// these import it has only the types; the caller has to know what they do. The error says what does not compile.
func (b *Base) Apart(list []New) (*Program, error) {
	v := variant{Base: b, files: map[string]string{}, types: maps.Clone(b.types), dirty: map[string]bool{}}
	var read []*packages.Package
	for _, n := range list {
		dir := "/" + n.Path
		v.files[dir+"/p.go"] = n.Source
		p, err := v.check(&packages.Package{PkgPath: n.Path, ID: n.Path}, dir)
		if err != nil {
			return nil, err
		}
		read = append(read, p)
	}
	return compile(b.fset, read, read), nil
}
