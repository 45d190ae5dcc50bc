package reach

import "golang.org/x/tools/go/ssa"

// A function that hands back a literal for its callers to call, such as one that cleans up and is deferred, hands it to nobody else.
// So a call of it leads to that literal alone, and no other call of a function value of the type leads there: most of them have no
// parameters and no results, and a program has many.

// handed returns the functions that a call of a function's result leads to: those that a named function returns at that place. False if it
// returns others as well.
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

// returnsOf are the functions that a function returns at a place, if it returns nothing else there but nil.
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

// onlyHanded reports whether a literal goes nowhere but to the callers of the function that makes it, all of which are here, and do nothing
// with it but to call it.
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
				return false // it goes on as a whole
			}
		}
	}
	return true
}
