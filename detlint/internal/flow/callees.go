package flow

import "golang.org/x/tools/go/ssa"

// Callee is a function that a call through an interface or a function value may lead to: what it does, and the
// function itself if its code is here.
type Callee struct {
	Fn     *ssa.Function
	Traits Traits
}

// Each visits what a call does by each of the functions that it may lead to, with the arguments of those: the receiver
// first. A call whose callee only the caller of the function knows leads to all that the program has for it.
func (a *Analysis) Each(call *ssa.CallCommon, visit func(t Traits, args []ssa.Value)) {
	if _, ok := call.Value.(*ssa.Builtin); ok {
		return
	}
	if fn, args := a.Callee(call); fn != nil {
		visit(a.Traits(fn), args)
		return
	}
	if a.Callees == nil {
		return
	}
	args := call.Args
	if call.IsInvoke() {
		args = append([]ssa.Value{call.Value}, args...)
	}
	for _, c := range a.Callees(call) {
		if t := c.Traits; c.Fn == nil {
			visit(t, args)
		} else {
			visit(a.Traits(c.Fn), args)
		}
	}
}
