package rules

import (
	"go/ast"
	"go/token"
	"iter"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
	"github.com/tickback/tickback/detlint/internal/std"
	"github.com/tickback/tickback/detlint/internal/typekey"
)

var closure = &Rule{
	Name: "closure", Short: "state that is kept in variables of a closure, or in the receiver of a method value", Duty: "Variables of the package",
	Fix: "make it a field of the state", examine: examineClosure,
}

// examineClosure reports writes to captured variables, and reads of those that others write to. They count if the
// maker of the closure is not a part of the step: then they outlive it.
func examineClosure(c *Context) {
	boundReceivers(c)
	if strings.HasPrefix(c.Fn.Synthetic, "bound method wrapper") {
		changedReceiver(c)
		return
	}
	if len(c.Fn.FreeVars) == 0 || c.Fn.Parent() == nil || strings.HasPrefix(c.Fn.Synthetic, "range-over-func") {
		return // the body of a loop ends together with its maker
	}
	said := uint64(0)
	outlives := func(in ssa.Instruction, free uint64, what string) {
		if free &^= said; free == 0 {
			return
		}
		said |= free
		for owner, part := range owners(c.Fn, free) {
			f := c.report(c.pos(in), "%s %s, which belongs to what made the closure, and is not restored when the state goes back", what, c.freeNames(part))
			f.Parent = owner
		}
	}
	c.instructions(func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Store:
			outlives(in, c.Flow.Of(in.Addr).Free, "it changes")
		case *ssa.MapUpdate:
			outlives(in, c.Flow.Of(in.Map).Free, "it changes")
		case ssa.CallInstruction:
			call := in.Common()
			if name := builtin(call); name == "copy" || name == "delete" || name == "clear" {
				outlives(in, c.Flow.Of(call.Args[0]).Free, "it changes")
				return
			}
			c.Flow.Each(call, func(t flow.Traits, args []ssa.Value) {
				for i, x := range args {
					if t.WritesTo(i) {
						outlives(in, c.Flow.Of(x).Free, "it changes")
					}
				}
			})
		}
	})
	for i, v := range c.Fn.FreeVars {
		if changing(c.Fn, v, i) {
			for _, r := range *v.Referrers() {
				if u, ok := r.(*ssa.UnOp); ok {
					outlives(u, 1<<min(i, 63), "it reads")
				}
			}
		}
	}
}

// changedReceiver reports a method that changes its receiver, if its method value is assigned to a game.
func changedReceiver(c *Context) {
	var method *ssa.Function
	c.instructions(func(in ssa.Instruction) {
		if call, ok := in.(*ssa.Call); ok {
			method = call.Call.StaticCallee()
		}
	})
	if method == nil || !c.Flow.Traits(method).WritesTo(0) {
		return
	}
	pos := method.Pos()
	for _, b := range method.Blocks {
		for _, in := range b.Instrs {
			if s, ok := in.(*ssa.Store); ok && c.Flow.Of(s.Addr).Params&1 != 0 && s.Pos().IsValid() {
				pos = s.Pos()
			}
		}
	}
	f := c.report(pos, "%s changes its receiver, which is not restored when the state goes back", method.Name())
	f.Roles = []string{"=Init", "=Step", "=Predict", "=Check", "=StandIn", "=Carry"}
}

// changing reports whether a captured variable is written to after the closure was made, by its maker or by another
// closure.
func changing(fn *ssa.Function, free *ssa.FreeVar, i int) bool {
	at, ok := binding(fn.Parent(), fn, free).(*ssa.Alloc)
	if !ok {
		return false
	}
	var made ssa.Instruction
	stores := []ssa.Instruction{}
	for _, r := range *at.Referrers() {
		switch r := r.(type) {
		case *ssa.MakeClosure:
			if inner := r.Fn.(*ssa.Function); inner == fn {
				made = r
			} else if writesFree(inner, r, at) {
				return true
			}
		case *ssa.Store:
			if r.Addr == at {
				stores = append(stores, r)
			}
		}
	}
	for _, s := range stores {
		if made != nil && !before(s, made) {
			return true
		}
	}
	return false
}

// writesFree reports whether a closure stores to a captured variable.
func writesFree(fn *ssa.Function, c *ssa.MakeClosure, at *ssa.Alloc) bool {
	for i, b := range c.Bindings {
		if b != at {
			continue
		}
		for _, r := range *fn.FreeVars[i].Referrers() {
			if s, ok := r.(*ssa.Store); ok && s.Addr == fn.FreeVars[i] {
				return true
			}
		}
	}
	return false
}

// freeNames returns the names of captured variables.
func (c *Context) freeNames(bits uint64) string {
	var names []string
	for i, v := range c.Fn.FreeVars {
		if bits&(1<<min(i, 63)) != 0 {
			names = append(names, v.Name())
		}
	}
	return plural(names)
}

// owners yields the functions that declare captured variables, each with its variables.
func owners(fn *ssa.Function, free uint64) iter.Seq2[string, uint64] {
	var names []string
	parts := map[string]uint64{}
	for i, v := range fn.FreeVars {
		bit := uint64(1) << min(i, 63)
		if free&bit == 0 {
			continue
		}
		name := typekey.Func(declaring(v))
		if parts[name] == 0 {
			names = append(names, name)
		}
		parts[name] |= bit
	}
	return func(yield func(string, uint64) bool) {
		for _, n := range names {
			if !yield(n, parts[n]) {
				return
			}
		}
	}
}

// declaring returns the function whose variable was captured, possibly through literals in between.
func declaring(v *ssa.FreeVar) *ssa.Function {
	for {
		parent := v.Parent().Parent()
		if parent == nil {
			return v.Parent()
		}
		outer, ok := binding(parent, v.Parent(), v).(*ssa.FreeVar)
		if !ok {
			return parent
		}
		v = outer
	}
}

// boundReceivers reports values of methods that change their receivers, which live as long as the value does. They
// count if their maker is not a part of the step.
func boundReceivers(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		m, ok := in.(*ssa.MakeClosure)
		if !ok || len(m.Bindings) != 1 {
			return
		}
		wrapper := m.Fn.(*ssa.Function)
		if !strings.HasPrefix(wrapper.Synthetic, "bound method wrapper") || c.Syntax != nil && !inside(c.Syntax, m.Pos()) {
			return
		}
		instructionsOf(wrapper, func(in ssa.Instruction) {
			call, ok := in.(*ssa.Call)
			if !ok || call.Call.StaticCallee() == nil || !c.Flow.Traits(call.Call.StaticCallee()).WritesTo(0) {
				return
			}
			if pkg, _ := nameOf(call.Call.StaticCallee()); std.Known(pkg) || std.Trusted(pkg) {
				return
			}
			f := c.report(c.pos(m), "%s changes its receiver, which is not restored when the state goes back", call.Call.StaticCallee().Name())
			f.Parent, f.Value = typekey.Func(c.Fn), typekey.Func(wrapper)
		})
	})
}

func inside(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }
