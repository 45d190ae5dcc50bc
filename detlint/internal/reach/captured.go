package reach

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/rules"
	"github.com/tickback/tickback/detlint/internal/std"
)

// captured returns the functions that a call through a captured variable, or through a variable that literals share,
// can reach, provided that only named functions and literals are ever stored in it.
func captured(v ssa.Value) (list []*ssa.Function, ok bool) {
	if load, is := v.(*ssa.UnOp); is && load.Op == token.MUL {
		cell, is := variable(load.X)
		if !is || !storedIn(cell, &list, 0) {
			return nil, false
		}
		return list, len(list) > 0
	}
	free, is := v.(*ssa.FreeVar)
	if !is {
		return nil, false
	}
	bound := bindings(free)
	for _, b := range bound {
		if list, ok = captured(b); ok {
			continue
		}
		fn := functionOf(b)
		if fn == nil {
			return nil, false
		}
		list = append(list, fn)
	}
	return list, len(bound) == 1
}

// variable returns the variable of a function to which an address points, also if it is captured.
func variable(addr ssa.Value) (*ssa.Alloc, bool) {
	for range 8 {
		switch x := addr.(type) {
		case *ssa.Alloc:
			return x, true
		case *ssa.FreeVar:
			b := bindings(x)
			if len(b) != 1 {
				return nil, false
			}
			addr = b[0]
		default:
			return nil, false
		}
	}
	return nil, false
}

// bindings returns what is bound to a captured variable where its function literal is made.
func bindings(free *ssa.FreeVar) (list []ssa.Value) {
	lit := free.Parent()
	if lit.Parent() == nil {
		return nil
	}
	for _, b := range lit.Parent().Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.MakeClosure); ok && c.Fn == ssa.Value(lit) {
				for i, f := range lit.FreeVars {
					if f == free {
						list = append(list, c.Bindings[i])
					}
				}
			}
		}
	}
	return list
}

// functionOf returns the function that a value is, or nil.
func functionOf(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.Function:
		return v
	case *ssa.MakeClosure:
		return v.Fn.(*ssa.Function)
	case *ssa.ChangeType:
		return functionOf(v.X)
	}
	return nil
}

// storedIn collects the functions that are stored in a variable, and reports whether it is otherwise only read and
// captured.
func storedIn(at ssa.Value, list *[]*ssa.Function, depth int) bool {
	if depth > 4 {
		return false
	}
	for _, r := range *at.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
		case *ssa.Store:
			fn := functionOf(r.Val)
			if k, ok := r.Val.(*ssa.Const); ok && k.IsNil() && r.Addr == at {
				continue
			}
			if fn == nil || r.Addr != at {
				return false
			}
			*list = append(*list, fn)
		case *ssa.MakeClosure:
			for i, b := range r.Bindings {
				if b == at && !storedIn(r.Fn.(*ssa.Function).FreeVars[i], list, depth+1) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// libraryMade reports whether a function value was returned by a function of the library, such as iter.Pull: the
// functions that it calls were passed to that function.
func libraryMade(v ssa.Value) bool {
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	call, ok := v.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil {
		return false
	}
	pkg, _ := rules.NameOf(call.Call.StaticCallee())
	return std.Known(pkg)
}
