package rules

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

var retain = &Rule{
	Name: "retain", Short: "memory of the tick that is kept or changed", Duty: "Memory of the tick",
	Fix: "copy the bytes: append(list[:0], orders...) or slices.Clone(orders)", examine: examineRetain,
}

const engine = tickback + "/rollback"

// orders is what a message calls the bytes of orders.
const orders = "the orders of the tick"

// examineRetain follows the tick and the bytes of its orders through a function.
func examineRetain(c *Context) {
	if p := c.Fn.Package(); p != nil && p.Pkg.Path() == engine {
		return
	}
	lent := map[ssa.Value]string{}
	for _, p := range c.Fn.Params {
		if isTick(p.Type()) {
			lent[p] = "the tick"
		}
	}
	c.instructions(func(in ssa.Instruction) {
		if call, ok := in.(*ssa.Call); ok {
			if pkg, name := called(&call.Call); pkg == engine && name == "Tick.Orders" {
				lent[call] = orders
			}
		}
	})
	if len(lent) == 0 {
		return
	}
	spreadLent(c, lent)
	c.instructions(func(in ssa.Instruction) { c.lends(in, lent) })
}

func isTick(t types.Type) bool {
	_, pointer := types.Unalias(t).(*types.Pointer)
	return pointer && isNamed(t, engine, "Tick")
}

// spreadLent marks parts, views and variables of what is marked.
func spreadLent(c *Context, marked map[ssa.Value]string) {
	for changed := true; changed; {
		changed = false
		mark := func(v ssa.Value, what string) {
			if marked[v] == "" && what != "" {
				marked[v], changed = what, true
			}
		}
		for _, b := range c.Fn.Blocks {
			for _, in := range b.Instrs {
				switch v := in.(type) {
				case *ssa.Slice:
					mark(v, marked[v.X])
				case *ssa.ChangeType:
					mark(v, marked[v.X])
				case *ssa.MakeInterface:
					mark(v, marked[v.X])
				case *ssa.IndexAddr:
					mark(v, marked[v.X])
				case *ssa.Phi:
					for _, e := range v.Edges {
						mark(v, marked[e])
					}
				case *ssa.Store: // a variable of the function, or a part of one
					if a, ok := flow.Base(v.Addr).(*ssa.Alloc); ok {
						for _, r := range *a.Referrers() {
							if load, ok := r.(*ssa.UnOp); ok {
								mark(load, marked[v.Val])
							}
						}
					}
				case *ssa.Call: // a function that returns what it is given, or a part of it
					fn := v.Call.StaticCallee()
					if fn == nil || !flow.HasPointers(v.Type()) {
						continue
					}
					t := c.Flow.Traits(fn)
					for i, x := range v.Call.Args {
						if t.ReturnsArg(i) && marked[x] == orders {
							mark(v, marked[x])
						}
					}
				}
			}
		}
	}
}

// lends reports an instruction that keeps what is lent, or writes to it.
func (c *Context) lends(in ssa.Instruction, lent map[ssa.Value]string) {
	switch in := in.(type) {
	case *ssa.Store:
		_, element := in.Addr.(*ssa.IndexAddr)
		if what := lent[in.Addr]; what != "" && element {
			c.report(c.pos(in), "it changes %s, which belong to the engine", what)
		}
		if what := lent[in.Val]; what != "" && c.Flow.Of(in.Addr).Outer() {
			c.report(c.pos(in), "it keeps %s, which the engine uses again for the next frame", what)
		}
	case *ssa.MapUpdate:
		if what := lent[in.Value]; what != "" && c.Flow.Of(in.Map).Outer() {
			c.report(c.pos(in), "it keeps %s, which the engine uses again for the next frame", what)
		}
	case *ssa.Send:
		if what := lent[in.X]; what != "" {
			c.report(c.pos(in), "it passes on %s, which the engine uses again for the next frame", what)
		}
	case *ssa.Call:
		lendsCall(c, in, lent)
	}
}

func lendsCall(c *Context, in *ssa.Call, lent map[ssa.Value]string) {
	switch builtin(&in.Call) {
	case "copy", "clear":
		if what := lent[in.Call.Args[0]]; what != "" {
			c.report(in.Pos(), "it changes %s, which belong to the engine", what)
		}
		return
	case "append":
		if what := lent[in.Call.Args[0]]; what != "" {
			c.report(in.Pos(), "append may write behind %s, which belong to the engine", what)
		}
		appendedLent(c, in, lent)
		return
	}
	fn := in.Call.StaticCallee()
	if fn == nil {
		return
	}
	if pkg, _ := nameOf(fn); pkg == engine {
		return
	}
	t := c.Flow.Traits(fn)
	for i, x := range in.Call.Args {
		what := lent[x]
		if what == "" {
			continue
		}
		_, name := nameOf(fn)
		switch _, slice := x.Type().Underlying().(*types.Slice); {
		case slice && t.WritesTo(i):
			c.report(in.Pos(), "%s changes %s, which belong to the engine", name, what)
		case t.KeepsArg(i):
			c.report(in.Pos(), "%s keeps %s, which the engine uses again for the next frame", name, what)
		}
	}
}

// appendedLent reports what is lent as an element of a list that outlives the step.
func appendedLent(c *Context, in *ssa.Call, lent map[ssa.Value]string) {
	s, ok := in.Call.Args[1].(*ssa.Slice)
	if !ok || !flow.HasPointers(in.Type().Underlying().(*types.Slice).Elem()) {
		return
	}
	for _, r := range *s.X.Referrers() {
		at, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, u := range *at.Referrers() {
			if st, ok := u.(*ssa.Store); ok && lent[st.Val] != "" && c.Flow.Of(in).Outer() {
				c.report(in.Pos(), "it keeps %s, which the engine uses again for the next frame", lent[st.Val])
			}
		}
	}
}
