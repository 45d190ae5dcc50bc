package adopt

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// stepNames are names that steps of games have, in small letters.
var stepNames = []string{"update", "step", "tick", "advance", "simulate", "advanceframe", "fixedupdate", "updategame", "updateworld"}

// Candidates returns the functions of packages that may be the step of a game, by their names, in the order of the
// source. They are named as options name roots, package.Type.Method. A function that another one of them calls is left
// out, and so is one of a type that the state of another one leads to: the update of a ship is a part of that of the
// game.
func Candidates(packages []*ssa.Package, asked func(fn *ssa.Function) bool, home func(path string) bool) (names []string) {
	var found []*ssa.Function
	for _, p := range packages {
		for _, fn := range functions(p) {
			if asked(fn) && slices.Contains(stepNames, strings.ToLower(fn.Name())) && len(fn.Blocks) > 0 {
				found = append(found, fn)
			}
		}
	}
	held := map[*ssa.Function]map[*types.Named]bool{}
	for _, fn := range found {
		held[fn] = heldBy(fn, home)
	}
	called := map[*ssa.Function]bool{}
	for _, fn := range found {
		for _, other := range found {
			if n := receiverOf(other); n != nil && other != fn && held[fn][n] && !held[other][receiverOf(fn)] {
				called[other] = true // perhaps by an interface
			}
		}
		for callee := range callees(fn) {
			if callee != fn {
				called[callee] = true
			}
		}
	}
	outer := slices.DeleteFunc(slices.Clone(found), func(fn *ssa.Function) bool { return called[fn] })
	if len(outer) == 0 {
		outer = found
	}
	slices.SortFunc(outer, func(a, b *ssa.Function) int { return cmp.Compare(a.Pos(), b.Pos()) })
	for _, fn := range outer {
		names = append(names, RootName(fn))
	}
	return names
}

// receiverOf returns the type of a method's receiver, or nil.
func receiverOf(fn *ssa.Function) *types.Named {
	recv := fn.Signature.Recv()
	if recv == nil {
		return nil
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// heldBy returns the types that the receiver of a method leads to.
func heldBy(fn *ssa.Function, home func(path string) bool) map[*types.Named]bool {
	n := receiverOf(fn)
	if n == nil {
		return nil
	}
	w := walk{fset: fn.Prog.Fset, home: home, seen: map[types.Type]bool{}, other: map[string]bool{}, all: structs(fn.Prog, home)}
	w.from(n)
	held := map[*types.Named]bool{}
	for t := range w.seen {
		if m, ok := t.(*types.Named); ok && m != n {
			held[m] = true
		}
	}
	return held
}

// RootName returns the name of a function as the flag -root takes it: package.Func or package.Type.Method, with the
// last element of the package's path.
func RootName(fn *ssa.Function) string {
	path := fn.Package().Pkg.Path()
	name := fn.RelString(fn.Package().Pkg)
	name = strings.NewReplacer("(*", "", "(", "", ")", "").Replace(name)
	return path[strings.LastIndexByte(path, '/')+1:] + "." + name
}

// functions returns the functions and methods that a package declares.
func functions(p *ssa.Package) (list []*ssa.Function) {
	for _, name := range p.Pkg.Scope().Names() {
		switch m := p.Members[name].(type) {
		case *ssa.Function:
			list = append(list, m)
		case *ssa.Type:
			named, ok := m.Type().(*types.Named)
			if !ok {
				continue
			}
			for method := range named.Methods() {
				if fn := p.Prog.FuncValue(method); fn != nil {
					list = append(list, fn)
				}
			}
		}
	}
	return list
}

// callees returns the functions that a function, or a literal in it, calls by name, and so on.
func callees(fn *ssa.Function) map[*ssa.Function]bool {
	seen := map[*ssa.Function]bool{}
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				call, ok := in.(ssa.CallInstruction)
				if !ok {
					continue
				}
				if callee := call.Common().StaticCallee(); callee != nil && !seen[callee] {
					seen[callee] = true
					visit(callee)
				}
			}
		}
		for _, inner := range fn.AnonFuncs {
			visit(inner)
		}
	}
	visit(fn)
	return seen
}
