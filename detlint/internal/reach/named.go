package reach

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/rules"
)

// RootError means that a named root is not in the program.
type RootError struct {
	Name string
	Near []string // names with the same end
}

// Error names the root, and others that may have been meant.
func (e *RootError) Error() string {
	if len(e.Near) == 0 {
		return fmt.Sprintf("-root %s: there is no such function: write package.Func or package.Type.Method", e.Name)
	}
	return fmt.Sprintf("-root %s: there is no such function, or more than one: did you mean %s?", e.Name, strings.Join(e.Near, " or "))
}

// Named makes roots of functions by their names: package.Func or package.Type.Method, where the package may be the
// end of its path, or its name, such as main, or left out of Type.Method. The name of a package stands for everything in it, including the initialisation of its variables;
// package/... also for the packages below.
func (s *Scan) Named(names []string) (list []Root, err error) {
	for _, name := range names {
		if whole := s.whole(name); len(whole) > 0 {
			list = append(list, whole...)
			continue
		}
		var exact, near, short []string // short: by the name of the package, or without it
		for _, id := range slices.Sorted(maps.Keys(s.byID)) {
			pkg, own := split(id)
			switch full := pkg + "." + own; {
			case strings.ContainsRune(id, '$'):
			case full == name:
				exact = append(exact, id)
			case strings.HasSuffix(full, "/"+name):
				near = append(near, id)
			case s.nameOf(id)+"."+own == name, own == name && strings.Contains(name, "."):
				short = append(short, id)
			}
		}
		if len(near) == 0 {
			near = short
		}
		if len(exact) == 0 && len(near) == 1 {
			exact = near
		}
		if len(exact) == 0 {
			return nil, &RootError{name, near}
		}
		for _, id := range exact {
			fn := s.byID[id]
			list = append(list, Root{
				Group: "root " + name, Role: "-root", Game: name,
				Call: Call{Kind: Static, Target: id, At: s.Fset.Position(fn.Pos())},
			})
		}
	}
	return list, nil
}

// nameOf returns the name of a function's package, which is main for a program, whatever its path.
func (s *Scan) nameOf(id string) string {
	if p := s.byID[id].Package(); p != nil {
		return p.Pkg.Name()
	}
	return ""
}

// whole makes roots of all functions of the packages that a name stands for, and of all initialisation of their
// variables. All such packages are one group, so that the makers of closures are examined, too.
func (s *Scan) whole(name string) (list []Root) {
	add := func(id string, at token.Pos) {
		list = append(list, Root{
			Group: "packages", Role: "Package", Game: name,
			Call: Call{Kind: Static, Target: id, At: s.Fset.Position(at)},
		})
	}
	for _, id := range slices.Sorted(maps.Keys(s.byID)) {
		fn := s.byID[id]
		if p := fn.Package(); p != nil && fn.Parent() == nil && fn.Origin() == nil && StandsFor(name, p.Pkg.Path()) && (fn.Synthetic == "" || fn.Object() == nil) {
			add(id, fn.Pos())
		}
	}
	if len(list) == 0 {
		return nil
	}
	for _, p := range s.SSA.AllPackages() {
		if !StandsFor(name, p.Pkg.Path()) || len(s.Sources[p.Pkg].Files) == 0 {
			continue
		}
		s.declared(p)
		for _, member := range slices.Sorted(maps.Keys(p.Members)) {
			if g, ok := p.Members[member].(*ssa.Global); ok && g.Object() != nil {
				add("var "+g.String(), g.Pos())
			}
		}
	}
	return list
}

// declared adds the findings about floats and channels in the declarations of a package that must not use them.
func (s *Scan) declared(p *ssa.Package) {
	if !s.Options.NoFloats {
		return
	}
	src := s.Sources[p.Pkg]
	for _, x := range rules.Declared(src.Files, src.Info) {
		s.pkg.Outside = append(s.pkg.Outside, s.finding(x))
	}
}

// StandsFor reports whether a name given for roots is that of a package: its path, or the end of it; with /... also
// the path of one below.
func StandsFor(name, path string) bool {
	tree, below := strings.CutSuffix(name, "/...")
	if path == tree || strings.HasSuffix(path, "/"+tree) {
		return true
	}
	return below && (strings.HasPrefix(path, tree+"/") || strings.Contains(path, "/"+tree+"/"))
}
