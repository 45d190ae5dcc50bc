package flow

import (
	"golang.org/x/tools/go/ssa"
)

// Callee returns the function that a call leads to, and its arguments, with the receiver first; nil if it is
// not known.
func Callee(call *ssa.CallCommon) (fn *ssa.Function, args []ssa.Value) {
	if fn = call.StaticCallee(); fn != nil {
		return fn, call.Args
	}
	if fn = held(call); fn != nil {
		return fn, append([]ssa.Value{call.Value}, call.Args...)
	}
	return nil, nil
}

// held returns the method that a call through an interface leads to, if it is known which value is
// in it: one that was put in right there, or the only one that a package variable starts with.
func held(call *ssa.CallCommon) *ssa.Function {
	if !call.IsInvoke() {
		return nil
	}
	made, ok := call.Value.(*ssa.MakeInterface)
	if load, is := call.Value.(*ssa.UnOp); is {
		if g, is := load.X.(*ssa.Global); is {
			made, ok = initial(g)
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

// initial returns the value that the declaration of a package variable gives to it.
func initial(g *ssa.Global) (made *ssa.MakeInterface, ok bool) {
	if g.Pkg == nil || g.Pkg.Func("init") == nil {
		return nil, false
	}
	for _, b := range g.Pkg.Func("init").Blocks {
		for _, in := range b.Instrs {
			if s, is := in.(*ssa.Store); is && s.Addr == ssa.Value(g) {
				if ok { // more than one
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
