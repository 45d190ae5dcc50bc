package rules

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// totalOrder judges a function that compares two elements, or those at two positions.
func totalOrder(c *Context, v ssa.Value, positions bool) bool {
	return judge{c, order{positions: positions}, map[ssa.Value]bool{}, 0}.total(v)
}

// totalOrderOfKeys judges a function that compares two keys of a map.
func totalOrderOfKeys(c *Context, v ssa.Value, positions bool, key types.Type) bool {
	return judge{c, order{positions: positions, keys: key}, map[ssa.Value]bool{}, 0}.total(v)
}

// supplied is what parameters and captured variables of functions are where they are called or made.
type supplied map[ssa.Value]ssa.Value

// resolve follows a function value to where it comes from: a function, a closure, or what is not known.
func (g supplied) resolve(v ssa.Value) ssa.Value {
	for range 16 {
		switch x := v.(type) {
		case *ssa.ChangeType:
			v = x.X
		case *ssa.Parameter, *ssa.FreeVar:
			to, ok := g[v]
			if !ok {
				return v
			}
			v = to
		case *ssa.UnOp:
			at := x.X
			if free, ok := at.(*ssa.FreeVar); ok && g[free] != nil {
				at = g[free]
			}
			cell, ok := at.(*ssa.Alloc)
			if x.Op != token.MUL || !ok {
				return v
			}
			stored := onlyStore(cell)
			if stored == nil {
				return v
			}
			v = stored
		default:
			return v
		}
	}
	return v
}

// onlyStore returns the value of a variable that is assigned once, also by closures that capture it, or nil.
func onlyStore(cell *ssa.Alloc) (stored ssa.Value) {
	for _, r := range *cell.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr != cell || stored != nil {
				return nil
			}
			stored = r.Val
		case *ssa.MakeClosure:
			fn := r.Fn.(*ssa.Function)
			for i, b := range r.Bindings {
				if b == ssa.Value(cell) && slices.ContainsFunc(*fn.FreeVars[i].Referrers(), func(in ssa.Instruction) bool { _, load := in.(*ssa.UnOp); return !load }) {
					return nil
				}
			}
		}
	}
	return stored
}

// with returns what is known inside of a function that is called or made there.
func (g supplied) with(to []*ssa.Parameter, args []ssa.Value) supplied {
	n := supplied{}
	for v, x := range g {
		n[v] = x
	}
	for i, p := range to {
		if i < len(args) {
			if _, isFunc := p.Type().Underlying().(*types.Signature); isFunc {
				n[p] = args[i]
			}
		}
	}
	return n
}

// captured returns what is known inside of a closure.
func (g supplied) captured(made *ssa.MakeClosure) supplied {
	n := supplied{}
	for v, x := range g {
		n[v] = x
	}
	for i, free := range made.Fn.(*ssa.Function).FreeVars {
		n[free] = made.Bindings[i]
	}
	return n
}

// callee returns the function that a call leads to, if it is known, and what is known inside of it.
func (g supplied) callee(call *ssa.CallCommon) (*ssa.Function, supplied) {
	if fn := call.StaticCallee(); fn != nil {
		return fn, g.with(fn.Params, call.Args)
	}
	if call.IsInvoke() {
		return nil, nil
	}
	switch f := g.resolve(call.Value).(type) {
	case *ssa.Function:
		return f, g.with(f.Params, call.Args)
	case *ssa.MakeClosure:
		fn := f.Fn.(*ssa.Function)
		return fn, g.captured(f).with(fn.Params, call.Args)
	}
	return nil, nil
}

// judge judges the possible values of a comparison function.
type judge struct {
	c     *Context
	order order
	seen  map[ssa.Value]bool // variables already judged, which may be assigned to themselves
	depth int
}

// inside returns the judge of what is in a function that is called or made.
func (j judge) inside(g supplied) judge {
	j.order.supplied = g
	j.depth++
	return j
}

// mostDeep is how many calls a comparison is followed through.
const mostDeep = 8

func (j judge) total(v ssa.Value) bool {
	if j.depth > mostDeep {
		return false
	}
	switch v := j.order.supplied.resolve(v).(type) {
	case *ssa.Function:
		return j.order.total(v)
	case *ssa.MakeClosure:
		return j.inside(j.order.supplied.captured(v)).order.total(v.Fn.(*ssa.Function))
	case *ssa.ChangeType:
		return j.total(v.X)
	case *ssa.Phi:
		if j.seen[v] {
			return true
		}
		j.seen[v] = true
		for _, e := range v.Edges {
			if !j.total(e) {
				return false
			}
		}
		return true
	case *ssa.UnOp: // a variable: it is judged by the values stored in it
		if j.seen[v.X] {
			return true
		}
		j.seen[v.X] = true
		return j.variable(v)
	case *ssa.Parameter:
		return j.passed(v)
	case *ssa.Call:
		return j.returned(v)
	}
	return false
}

// passed judges a parameter by what all callers pass.
func (j judge) passed(p *ssa.Parameter) bool {
	if j.c.Calls == nil || j.seen[p] {
		return false
	}
	j.seen[p] = true
	i := slices.Index(p.Parent().Params, p)
	calls := j.c.Calls(p.Parent())
	for _, call := range calls {
		if i < 0 || i >= len(call.Call.Args) || !j.inside(nil).total(call.Call.Args[i]) {
			return false
		}
	}
	return len(calls) > 0
}

// returned judges what a function returns.
func (j judge) returned(call *ssa.Call) bool {
	fn, inside := j.order.supplied.callee(&call.Call)
	if fn == nil || len(fn.Blocks) == 0 || fn.Signature.Results().Len() != 1 {
		return false
	}
	in := j.inside(inside)
	for _, b := range fn.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && !in.total(r.Results[0]) {
			return false
		}
	}
	return true
}

// variable judges the functions that a local or a package variable may hold.
func (j judge) variable(load *ssa.UnOp) bool {
	var stores []ssa.Value
	collect := func(fn *ssa.Function) {
		instructionsOf(fn, func(in ssa.Instruction) {
			if s, ok := in.(*ssa.Store); ok && s.Addr == load.X {
				stores = append(stores, s.Val)
			}
		})
	}
	switch at := load.X.(type) {
	case *ssa.Alloc:
		collect(load.Parent())
	case *ssa.Global:
		if at.Pkg != nil {
			if fn := at.Pkg.Func("init"); fn != nil {
				collect(fn)
			}
		}
	}
	for _, s := range stores {
		if !j.total(s) {
			return false
		}
	}
	return len(stores) > 0
}
