package rules

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

// lent has the values of a function that refer to memory of the engine, and their names in messages.
type lent map[ssa.Value]string

// lentIn finds what the engine lends in a function: the tick, the bytes of its orders, and parts and copies of
// pointers to these, including those that a function literal captures or is called with.
func lentIn(c *Context, fn *ssa.Function, depth int) lent {
	l := lent{}
	for _, p := range fn.Params {
		if isTick(p.Type()) {
			l[p] = theTick
		}
	}
	instructionsOf(fn, func(in ssa.Instruction) {
		if call, ok := in.(*ssa.Call); ok {
			if pkg, name := called(&call.Call); pkg == engine && name == "Tick.Orders" {
				l[call] = orders
			}
		}
	})
	if parent := fn.Parent(); parent != nil && depth < 6 {
		if around := lentIn(c, parent, depth+1); len(around) > 0 {
			l.captured(fn, parent, around)
		}
	}
	for len(l) > 0 && l.spread(c, fn) {
	}
	return l
}

// captured marks what a function literal captures from the surrounding function.
func (l lent) captured(lit, parent *ssa.Function, around lent) {
	instructionsOf(parent, func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.MakeClosure:
			if in.Fn != lit {
				return
			}
			for i, b := range in.Bindings {
				free := lit.FreeVars[i]
				if cell, ok := b.(*ssa.Alloc); ok {
					around.stores(cell, func(what string, path []int) { l.loads(free, path, what) })
				} else if what := around[b]; what != "" {
					l[free] = what
				}
			}
		case *ssa.Call: // an iterator over something lent: the literal is the body of the loop
			what := around[in.Call.Value]
			if what == "" || in.Call.IsInvoke() {
				return
			}
			for _, a := range in.Call.Args {
				if m, ok := a.(*ssa.MakeClosure); ok && m.Fn == lit {
					for _, p := range lit.Params {
						l.mark(p, what)
					}
				}
			}
		}
	})
}

// mark marks a value, if a value of its type can refer to lent memory, and reports whether the mark is new.
func (l lent) mark(v ssa.Value, what string) bool {
	if what == "" || l[v] != "" || !mayHold(v.Type(), 0) {
		return false
	}
	if _, list := v.Type().Underlying().(*types.Slice); list {
		what = orders
	}
	l[v] = what
	return true
}

// mayHold reports whether a value of a type can refer to a slice of bytes, or to a tick.
func mayHold(t types.Type, depth int) bool {
	if isTick(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Uint8 || depth < 6 && mayHold(u.Elem(), depth+1)
	case *types.Array:
		return depth < 6 && mayHold(u.Elem(), depth+1)
	case *types.Pointer:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok {
			return b.Kind() == types.Uint8 // to one of the bytes
		}
		return depth < 6 && mayHold(u.Elem(), depth+1)
	case *types.Struct:
		for i := range u.NumFields() {
			if depth < 6 && mayHold(u.Field(i).Type(), depth+1) {
				return true
			}
		}
	case *types.Tuple:
		for i := range u.Len() {
			if mayHold(u.At(i).Type(), depth+1) {
				return true
			}
		}
	case *types.Interface, *types.Signature:
		return true
	}
	return false
}

// spread marks parts, views and variables of marked values, and reports whether any mark is new.
func (l lent) spread(c *Context, fn *ssa.Function) (more bool) {
	mark := func(v ssa.Value, what string) { more = l.mark(v, what) || more }
	instructionsOf(fn, func(in ssa.Instruction) {
		switch v := in.(type) {
		case *ssa.Slice, *ssa.ChangeType, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.IndexAddr, *ssa.FieldAddr, *ssa.Field, *ssa.Extract:
			mark(in.(ssa.Value), l[*in.Operands(nil)[0]]) // a part of its first operand, or a view of it
		case *ssa.UnOp:
			if v.Op == token.MUL {
				mark(v, l[v.X])
			}
		case *ssa.Phi:
			for _, e := range v.Edges {
				mark(v, l[e])
			}
		case *ssa.Store: // a variable of the function, or a part of one
			if cell, ok := flow.Base(v.Addr).(*ssa.Alloc); ok && l[v.Val] != "" {
				more = l.loads(cell, pathOf(v.Addr), l[v.Val]) || more
			}
		case *ssa.Call: // a function that returns its argument, or a part of it
			callee := v.Call.StaticCallee()
			if callee == nil {
				return
			}
			t := c.Flow.Traits(callee)
			for i, x := range v.Call.Args {
				if _, list := v.Type().Underlying().(*types.Slice); t.ReturnsArg(i) && (list || l[x] == orders) { // a tick contains more than orders
					mark(v, l[x])
				}
			}
		}
	})
	return more
}

// pathOf returns the part of a variable that an address points to: its fields, and -1 for elements.
func pathOf(addr ssa.Value) (path []int) {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			path, addr = append([]int{x.Field}, path...), x.X
		case *ssa.IndexAddr:
			path, addr = append([]int{-1}, path...), x.X
		case *ssa.ChangeType:
			addr = x.X
		default:
			return path
		}
	}
}

// loads marks values that are read from the given part of a variable, from something inside it, or from something that
// contains it, and reports whether any mark is new.
func (l lent) loads(cell ssa.Value, path []int, what string) (more bool) {
	for _, use := range *cell.Referrers() {
		switch u := use.(type) {
		case *ssa.UnOp:
			if u.Op == token.MUL {
				more = l.mark(u, what) || more
			}
		case *ssa.FieldAddr:
			if len(path) == 0 {
				more = l.loads(u, nil, what) || more
			} else if path[0] == u.Field {
				more = l.loads(u, path[1:], what) || more
			}
		case *ssa.IndexAddr:
			if u.X == cell {
				more = l.loads(u, path[min(1, len(path)):], what) || more
			}
		}
	}
	return more
}

// stores visits the lent values that are stored in a variable, and the part in which they are stored.
func (l lent) stores(cell *ssa.Alloc, visit func(what string, path []int)) {
	instructionsOf(cell.Parent(), func(in ssa.Instruction) {
		if s, ok := in.(*ssa.Store); ok && l[s.Val] != "" && flow.Base(s.Addr) == cell {
			visit(l[s.Val], pathOf(s.Addr))
		}
	})
}
