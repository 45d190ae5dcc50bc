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

// The names of lent values in messages.
const (
	theTick = "the tick"
	orders  = "the orders of the tick"
)

// examineRetain follows the tick and the bytes of its orders through a function.
func examineRetain(c *Context) {
	if p := declared(c.Fn); p != nil && p.Pkg.Path() == engine {
		return
	}
	if l := lentIn(c, c.Fn, 0); len(l) > 0 {
		c.instructions(func(in ssa.Instruction) { c.lends(in, l) })
	}
}

func isTick(t types.Type) bool {
	_, pointer := types.Unalias(t).(*types.Pointer)
	return pointer && isNamed(t, engine, "Tick")
}

// lends reports an instruction that stores lent memory, or writes to it.
func (c *Context) lends(in ssa.Instruction, l lent) {
	switch in := in.(type) {
	case *ssa.Store:
		_, element := in.Addr.(*ssa.IndexAddr)
		if what := l[in.Addr]; what != "" && element {
			c.report(c.pos(in), "it changes %s, which belong to the engine", what)
		}
		if what := l[in.Val]; what != "" && c.Flow.Of(in.Addr).Outer() {
			c.report(c.pos(in), "it keeps %s, which the engine uses again for the next frame", what)
		}
	case *ssa.MapUpdate:
		if what := l[in.Value]; what != "" && c.Flow.Of(in.Map).Outer() {
			c.report(c.pos(in), "it keeps %s, which the engine uses again for the next frame", what)
		}
	case *ssa.Send:
		if what := l[in.X]; what != "" {
			c.report(c.pos(in), "it passes on %s, which the engine uses again for the next frame", what)
		}
	case *ssa.Call:
		lendsCall(c, in, l)
	}
}

func lendsCall(c *Context, in *ssa.Call, l lent) {
	switch builtin(&in.Call) {
	case "copy", "clear":
		if what := l[in.Call.Args[0]]; what != "" {
			c.report(in.Pos(), "it changes %s, which belong to the engine", what)
		}
		return
	case "append":
		if what := l[in.Call.Args[0]]; what != "" {
			c.report(in.Pos(), "append may write behind %s, which belong to the engine", what)
		}
		appendedLent(c, in, l)
		return
	}
	fn, args := c.Flow.Callee(&in.Call)
	if fn == nil {
		return
	}
	if pkg, _ := nameOf(fn); pkg == engine {
		return
	}
	t := c.Flow.Traits(fn)
	for i, x := range args {
		what := l[x]
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

// appendedLent reports lent memory that becomes an element of a slice that outlives the step.
func appendedLent(c *Context, in *ssa.Call, l lent) {
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
			if st, ok := u.(*ssa.Store); ok && l[st.Val] != "" && c.Flow.Of(in).Outer() && !madeHere(in.Call.Args[0], 0) {
				c.report(in.Pos(), "it keeps %s, which the engine uses again for the next frame", l[st.Val])
			}
		}
	}
}

// madeHere reports whether a slice was made by the function, and is stored in one of its variables.
func madeHere(v ssa.Value, depth int) bool {
	if depth > 8 {
		return true // it leads back to itself
	}
	switch v := v.(type) {
	case *ssa.Const, *ssa.MakeSlice, *ssa.Alloc:
		return true
	case *ssa.Slice:
		return madeHere(v.X, depth+1)
	case *ssa.ChangeType:
		return madeHere(v.X, depth+1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !madeHere(e, depth+1) {
				return false
			}
		}
		return true
	case *ssa.Call:
		return builtin(&v.Call) == "append" && madeHere(v.Call.Args[0], depth+1)
	}
	return false
}
