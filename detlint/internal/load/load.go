// Package load reads a program from its source: the packages that may be a part of a step, and of all others only
// what they export.
package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/reach"
	"github.com/tickback/tickback/detlint/internal/std"
	"github.com/tickback/tickback/detlint/internal/variants"
)

// Config says what is read.
type Config struct {
	Dir      string            // where patterns are resolved; "" means the working directory
	Patterns []string          // as the go command takes them; none means the package in Dir
	Tests    bool              // also read tests
	Tags     string            // build tags, separated by commas
	Env      []string          // nil is the environment of the process
	Overlay  map[string][]byte // contents that replace those of files on the disk
	All      bool              // read all requested packages, also those that do not use Tickback

	Progress func(what string, done, all int) // is called with the current activity and the progress; may be nil
}

// Program is a program in SSA form.
type Program struct {
	*reach.Program
	Packages []*ssa.Package    // whose source was read, in the order of their paths
	Asked    map[string]bool   // files of packages that were requested, not only imported
	Home     map[string]string // paths of the packages of the main module, by their files
	Unseen   []Unseen          // the unexamined files of requested packages
	Left     []Left            // packages that could not be read
}

// Unseen is a file of a package that is not examined: it is for other machines or builds, or not in Go.
type Unseen struct{ Package, File string }

// Left is a package that is left out, with the reason.
type Left struct {
	Path, Reason string
	Asked        bool // it was requested, not only imported
	File         string
}

// Syntax returns all files that were read.
func (p *Program) Syntax() (list []*ast.File) {
	for _, pkg := range p.Packages {
		list = append(list, p.Sources[pkg.Pkg].Files...)
	}
	return list
}

const listing = packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedFiles

// Load reads a program. An error names what cannot be compiled. The program is nil if nothing in it can be a part of
// a step.
//
// First the packages are only listed. Of the requested ones, and of what they import, it then reads the source of
// packages from which something of Tickback can be reached, and of what those import: no other package can be a part
// of a step. The standard library is never read: the tables of package std describe it.
func Load(c Config) (*Program, error) {
	cfg := &packages.Config{Mode: listing, Dir: c.Dir, Tests: c.Tests, Env: c.Env, Overlay: c.Overlay}
	if c.Tags != "" {
		cfg.BuildFlags = []string{"-tags=" + c.Tags}
	}
	patterns := c.Patterns
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	say := c.Progress
	if say == nil {
		say = func(string, int, int) {}
	}
	say("listing packages", 0, 0)
	listed, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, fmt.Errorf("listing packages: %w", err)
	}
	if err := failures(listed); err != nil {
		return nil, err
	}
	chosen := map[string]bool{}
	for _, path := range choose(listed, c.All) {
		chosen[path] = true
	}
	if len(chosen) == 0 {
		return nil, nil
	}
	r := &reader{fset: token.NewFileSet(), overlay: c.Overlay, chosen: chosen, parsing: map[string]*parsed{}}
	if r.sizes, err = sizesFor(c); err != nil {
		return nil, err
	}
	say("running cgo", 0, 0)
	if r.cgo, err = runCgo(cfg, listed, chosen); err != nil {
		return nil, err
	}
	graph, err := r.graph(cfg, listed)
	if err != nil {
		return nil, err
	}
	var done atomic.Int64
	r.done = func() { say("reading packages", int(done.Add(1)), len(chosen)) }
	read, left, err := r.outcome(r.read(graph), listed)
	if err != nil {
		return nil, err
	}
	p := compile(r.fset, read, listed)
	for _, r := range best(read) {
		if home(r) {
			maps.Copy(p.Variants, variants.Find(variants.Package{
				Fset: p.Fset, Files: r.Syntax, Ignored: r.IgnoredFiles, Types: r.Types, Info: r.TypesInfo, Tags: strings.Split(c.Tags, ","),
			}))
		}
	}
	p.Left = left
	return p, nil
}

// outcome separates packages that were read from those that are left out. One of the main module that does not
// compile is an error.
func (r *reader) outcome(list []*checked, listed []*packages.Package) (read []*packages.Package, left []Left, err error) {
	asked := map[string]bool{}
	for _, p := range listed {
		asked[p.ID] = true
	}
	var errs []error
	for _, p := range list {
		if !p.left {
			read = append(read, p.Package)
			continue
		}
		if g := r.cgo[p.ID]; g.err == nil && home(p.Package) {
			errs = append(errs, p.errs...)
			continue
		}
		l := Left{Path: p.PkgPath, Reason: firstLine(p.errs[0]), Asked: asked[p.ID]}
		if len(p.GoFiles) > 0 {
			l.File = p.GoFiles[0]
		}
		left = append(left, l)
	}
	return read, left, errors.Join(errs[:min(len(errs), 10)]...)
}

// home reports whether a package is in the main module.
func home(p *packages.Package) bool { return p.Module == nil || p.Module.Main }

// failures joins some of the errors of packages. It leaves out errors of the go command without a position, which
// repeat those that have one.
func failures(list []*packages.Package) error {
	var placed, others []error
	for _, p := range list {
		for _, e := range p.Errors {
			if e.Pos == "" || e.Pos == "-" {
				others = append(others, errors.New(e.Msg))
			} else {
				placed = append(placed, e)
			}
		}
	}
	errs := placed
	if len(errs) == 0 {
		errs = others
	}
	for _, e := range errs {
		if strings.Contains(e.Error(), "does not contain main module or its selected dependencies") {
			return errors.New("there is no module here, nor above: run it in the folder of the game's go.mod, or below it")
		}
	}
	return errors.Join(errs[:min(len(errs), 10)]...)
}

// choose returns the paths of the packages whose source is to be read.
func choose(listed []*packages.Package, all bool) []string {
	paths := map[string]bool{}
	closeTo := map[*packages.Package]bool{}
	seen := map[*packages.Package]bool{}
	var near func(p *packages.Package) bool // whether it imports something of a game
	near = func(p *packages.Package) bool {
		if seen[p] {
			return closeTo[p]
		}
		seen[p] = true
		is := marks(p)
		for _, i := range p.Imports {
			is = near(i) || is
		}
		closeTo[p] = is
		return is
	}
	taken := map[*packages.Package]bool{} // the variant with tests imports more than the one without, and has the same path
	var take func(p *packages.Package)
	take = func(p *packages.Package) {
		if taken[p] || std.Known(p.PkgPath) {
			return
		}
		taken[p], paths[p.PkgPath] = true, true
		for _, i := range p.Imports {
			take(i)
		}
	}
	for _, p := range listed {
		if near(p) || all {
			take(p)
		}
	}
	var list []string
	for path := range paths {
		if !strings.HasSuffix(path, ".test") && !strings.HasSuffix(path, "_test") {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return list
}

// marks reports whether a package passes functions of a game to the engine, or has marked functions.
func marks(p *packages.Package) bool {
	switch p.PkgPath {
	case "github.com/tickback/tickback/rollback", "github.com/tickback/tickback/predict", "github.com/tickback/tickback/world":
		return true
	}
	return !std.Known(p.PkgPath) && anyHas(p.GoFiles, "\n"+reach.Mark) // it may have a function with the mark of a root
}

// compile makes the SSA form.
func compile(fset *token.FileSet, read, listed []*packages.Package) *Program {
	prog := ssa.NewProgram(fset, ssa.InstantiateGenerics)
	p := &Program{Program: &reach.Program{SSA: prog, Fset: fset, Sources: map[*types.Package]reach.PackageSource{}, Variants: map[types.Object]string{}}, Asked: map[string]bool{}, Home: map[string]string{}}
	asked := map[string]bool{}
	for _, l := range listed {
		asked[l.ID] = true
		p.Unseen = append(p.Unseen, unseen(l)...)
	}
	made := map[*types.Package]bool{}
	var imports func(t *types.Package)
	imports = func(t *types.Package) { // for packages that were not read
		if made[t] {
			return
		}
		made[t] = true
		for _, i := range t.Imports() {
			imports(i)
		}
		prog.CreatePackage(t, nil, nil, true)
	}
	for _, r := range best(read) {
		made[r.Types] = true
		p.Packages = append(p.Packages, prog.CreatePackage(r.Types, r.Syntax, r.TypesInfo, true))
		p.Sources[r.Types] = reach.PackageSource{Files: r.Syntax, Info: r.TypesInfo}
		for _, f := range r.Syntax {
			p.Asked[fset.Position(f.Pos()).Filename] = asked[r.ID] || asked[r.PkgPath]
			if home(r) {
				p.Home[fset.Position(f.Pos()).Filename] = r.PkgPath
			}
		}
	}
	for _, r := range read {
		for _, i := range r.Types.Imports() {
			imports(i)
		}
	}
	prog.Build()
	return p
}

// unseen lists the files of a package that are not examined, except for tests.
func unseen(p *packages.Package) (list []Unseen) {
	for _, name := range slices.Concat(p.IgnoredFiles, p.OtherFiles) {
		if !strings.HasSuffix(name, "_test.go") {
			list = append(list, Unseen{p.PkgPath, name})
		}
	}
	return list
}

// best selects, from the variants of a package with and without its tests, the one with them, and leaves out the
// programs that run tests.
func best(read []*packages.Package) (list []*packages.Package) {
	tested := map[string]bool{}
	for _, r := range read {
		if r.ID != r.PkgPath {
			tested[r.PkgPath] = true
		}
	}
	for _, r := range read {
		if strings.HasSuffix(r.ID, ".test") || r.Types == nil || tested[r.PkgPath] && r.ID == r.PkgPath {
			continue
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *packages.Package) int { return strings.Compare(a.ID, b.ID) })
	return list
}
