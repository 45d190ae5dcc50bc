package flow

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Callee is a function that a call through an interface or a function value may reach: its traits, and the function
// itself if its code is in this program.
type Callee struct {
	Fn     *ssa.Function
	Traits Traits
}

// Each calls visit with the traits of each function that a call may reach, and the arguments passed to it: the receiver
// first. A call whose callee is only known to the caller of the function may lead to any function of the program that
// fits.
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
		switch method := boundMethod(c.Fn); {
		case c.Fn == nil:
			visit(c.Traits, args)
		case method != nil && inVariable(call.Value): // which leads to its receiver
			visit(a.Traits(method), append([]ssa.Value{call.Value}, args...))
		default:
			visit(a.Traits(c.Fn), args)
		}
	}
}

// inVariable reports whether a function value is read from a package variable, or from memory that one refers to. Only
// for such values is it known that their receivers are among what a call may lead to.
func inVariable(v ssa.Value) bool {
	for v := range Within(v) {
		if _, ok := v.(*ssa.Global); ok {
			return true
		}
	}
	return false
}

// boundMethod returns the method that is called by a function that the compiler makes for a method value; otherwise
// nil.
func boundMethod(fn *ssa.Function) *ssa.Function {
	if fn == nil || !strings.HasPrefix(fn.Synthetic, "bound method wrapper") {
		return nil
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok {
				return call.Call.StaticCallee()
			}
		}
	}
	return nil
}
