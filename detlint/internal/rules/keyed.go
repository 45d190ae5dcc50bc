package rules

import (
	"golang.org/x/tools/go/ssa"
)

// keyedTotally reports whether a comparison compares the results of a function passed by the callers of the
// surrounding helper, and every caller passes one that distinguishes elements: byKey(units, func(u Unit) int32 {
// return u.ID }).
func keyedTotally(c *Context, less ssa.Value) bool {
	made, ok := less.(*ssa.MakeClosure)
	if !ok || c.Calls == nil {
		return false
	}
	lit := made.Fn.(*ssa.Function)
	k := keysOf(lit, true, 0, nil)
	if len(k.fields) != 1 || !k.fields[unnamedCall] {
		return false
	}
	key := keyOf(lit)
	if key == nil {
		return false
	}
	i := parameterOf(c.Fn, binding(c.Fn, lit, key))
	calls := c.Calls(c.Fn)
	for _, call := range calls {
		if i < 0 || !tellsApart(call.Call.Args[i]) {
			return false
		}
	}
	return len(calls) > 0
}

// keyOf returns the captured function that a comparison calls, or nil if it calls others.
func keyOf(lit *ssa.Function) (key *ssa.FreeVar) {
	for _, b := range lit.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || call.Call.StaticCallee() != nil || builtin(&call.Call) != "" {
				continue
			}
			v := call.Call.Value
			if load, ok := v.(*ssa.UnOp); ok {
				v = load.X
			}
			free, ok := v.(*ssa.FreeVar)
			if !ok || key != nil && key != free {
				return nil
			}
			key = free
		}
	}
	return key
}

// parameterOf returns the index of the parameter that a captured variable is, if it is never changed; otherwise -1.
func parameterOf(fn *ssa.Function, v ssa.Value) int {
	if cell, ok := v.(*ssa.Alloc); ok {
		v = nil
		for _, r := range *cell.Referrers() {
			if s, ok := r.(*ssa.Store); ok && s.Addr == cell {
				if v != nil {
					return -1
				}
				v = s.Val
			}
		}
	}
	for i, p := range fn.Params {
		if v == ssa.Value(p) {
			return i
		}
	}
	return -1
}

// tellsApart reports whether a function returns something that differs for all elements.
func tellsApart(v ssa.Value) bool {
	var fn *ssa.Function
	switch v := v.(type) {
	case *ssa.Function:
		fn = v
	case *ssa.MakeClosure:
		fn = v.Fn.(*ssa.Function)
	}
	if fn == nil || len(fn.Blocks) == 0 {
		return false
	}
	k := keys{fields: map[string]bool{}, apart: map[string]bool{}}
	for _, b := range fn.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(r.Results) == 1 {
			k.note(r.Results[0])
		}
	}
	for name := range k.fields {
		if !unique(lastOf(name)) && !k.apart[name] {
			return false
		}
	}
	return k.whole || len(k.fields) > 0
}
