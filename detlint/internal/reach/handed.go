package reach

import "golang.org/x/tools/go/ssa"

// Some functions return a literal for their callers to call, such as one that cleans up and is deferred. Calling the
// result leads only to that literal, and no other call of a function value of that type leads there. This matters
// because most of them have no parameters and no results, and a program has many.

// handed returns the functions that a call of a function's result reaches: those that a named function returns in that
// position. It returns false if there may be others as well.
func handed(v ssa.Value) ([]*ssa.Function, bool) {
	call, at := v, 0
	if x, ok := v.(*ssa.Extract); ok {
		call, at = x.Tuple, x.Index
	}
	made, ok := call.(*ssa.Call)
	if !ok {
		return nil, false
	}
	fn := made.Call.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 {
		return nil, false
	}
	return returnsOf(fn, at)
}

// returnsOf returns the functions that a function returns in a position, provided that it returns nothing else there
// except nil.
func returnsOf(fn *ssa.Function, at int) (list []*ssa.Function, ok bool) {
	for _, b := range fn.Blocks {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if k, ok := r.Results[at].(*ssa.Const); ok && k.IsNil() {
			continue
		}
		f := functionOf(r.Results[at])
		if f == nil {
			return nil, false
		}
		list = append(list, f)
	}
	return list, len(list) > 0
}

// onlyHanded reports whether a literal is only returned to the callers of the function that makes it, and all of
// these are known and only call it.
func (s *summariser) onlyHanded(lit *ssa.MakeClosure) bool {
	maker := lit.Parent()
	calls := s.calls[maker]
	if len(calls) == 0 {
		return false
	}
	for _, r := range *lit.Referrers() {
		ret, ok := r.(*ssa.Return)
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		if !ok {
			return false
		}
		for at, v := range ret.Results {
			if v != ssa.Value(lit) {
				continue
			}
			if _, ok := returnsOf(maker, at); !ok || !calledAt(calls, at) {
				return false
			}
		}
	}
	return true
}

// calledAt reports whether a result of these calls is only called.
func calledAt(calls []*ssa.Call, at int) bool {
	for _, c := range calls {
		if c.Call.Signature().Results().Len() == 1 {
			if !onlyCalled(c) {
				return false
			}
			continue
		}
		for _, r := range *c.Referrers() {
			switch x := r.(type) {
			case *ssa.Extract:
				if x.Index == at && !onlyCalled(x) {
					return false
				}
			case *ssa.DebugRef:
			default:
				return false // the tuple is used as a whole
			}
		}
	}
	return true
}
