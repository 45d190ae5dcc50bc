package flow

import "golang.org/x/tools/go/ssa"

// Callee returns the function that a call reaches, and its arguments, with the receiver first; nil if it is not known.
func (a *Analysis) Callee(call *ssa.CallCommon) (fn *ssa.Function, args []ssa.Value) {
	if fn = call.StaticCallee(); fn != nil {
		return fn, call.Args
	}
	if fn = a.held(call); fn != nil {
		return fn, append([]ssa.Value{call.Value}, call.Args...)
	}
	return nil, nil
}

// held returns the method that a call through an interface reaches, if it is known which value the interface holds: one
// that was just put into it, or the only initial value of a package variable.
func (a *Analysis) held(call *ssa.CallCommon) *ssa.Function {
	if !call.IsInvoke() {
		return nil
	}
	made, ok := call.Value.(*ssa.MakeInterface)
	if load, is := call.Value.(*ssa.UnOp); is {
		if g, is := load.X.(*ssa.Global); is {
			made, ok = a.initial(g)
		}
	}
	if !ok {
		return nil
	}
	sel := made.Parent().Prog.MethodSets.MethodSet(made.X.Type()).Lookup(call.Method.Pkg(), call.Method.Name())
	if sel == nil {
		return nil
	}
	return made.Parent().Prog.MethodValue(sel)
}

// Loads returns where a package reads one of its variables, if only its declaration sets it, and its address is not
// taken.
func (a *Analysis) Loads(g *ssa.Global) (list []*ssa.UnOp, ok bool) {
	if g.Pkg == nil || g.Pkg.Func("init") == nil || a.isReplaced(g) {
		return nil, false
	}
	functions(g.Pkg, func(fn *ssa.Function) {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if load, is := in.(*ssa.UnOp); is && load.X == ssa.Value(g) {
					list = append(list, load)
				}
			}
		}
	})
	return list, true
}

// isReplaced reports whether anything other than its declaration may set a package variable.
func (a *Analysis) isReplaced(g *ssa.Global) bool {
	if a.replaced[g.Pkg] == nil {
		a.replaced[g.Pkg] = replaced(g.Pkg)
	}
	return a.replaced[g.Pkg][g]
}

// initial returns the value with which a package variable is declared, if no function of the package sets it, or
// takes its address.
func (a *Analysis) initial(g *ssa.Global) (made *ssa.MakeInterface, ok bool) {
	if g.Pkg == nil || g.Pkg.Func("init") == nil || a.isReplaced(g) {
		return nil, false
	}
	for _, b := range g.Pkg.Func("init").Blocks {
		for _, in := range b.Instrs {
			if s, is := in.(*ssa.Store); is && s.Addr == ssa.Value(g) {
				if ok { // more than one value
					return nil, false
				}
				if made, ok = s.Val.(*ssa.MakeInterface); !ok {
					return nil, false
				}
			}
		}
	}
	return made, ok
}

// replaced returns the variables of a package that anything other than their declarations sets, within the package.
func replaced(p *ssa.Package) map[*ssa.Global]bool {
	found := map[*ssa.Global]bool{}
	functions(p, func(fn *ssa.Function) {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				for _, o := range in.Operands(nil) {
					g, ok := (*o).(*ssa.Global)
					if _, load := in.(*ssa.UnOp); ok && !load && fn != p.Func("init") {
						found[g] = true
					}
				}
			}
		}
	})
	return found
}
