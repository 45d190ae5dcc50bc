package rules

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// examineCollector also examines values from a pool: these are fine if they are reset before anything reads
// them.
func examineCollector(c *Context) {
	fromLibrary(c)
	c.instructions(func(in ssa.Instruction) {
		call, ok := in.(*ssa.Call)
		if !ok {
			return
		}
		if pkg, name := called(&call.Call); pkg == "sync" && name == "Pool.Get" && !resetFirst(c, call) {
			c.report(call.Pos(), "sync.Pool.Get: what a pool gives back is up to the garbage collector and the processor")
		}
	})
}

// resetFirst reports whether a value from a pool is reset before it is used in any other way.
func resetFirst(c *Context, v ssa.Value) bool {
	var all []ssa.Instruction
	resets := map[ssa.Instruction]bool{}
	pooled(c, v, &all, resets)
	if len(resets) == 0 {
		return false
	}
	return !slices.ContainsFunc(all, func(u ssa.Instruction) bool {
		for r := range resets {
			if r == u || before(r, u) {
				return false
			}
		}
		return true
	})
}

// pooled collects the uses of a value from a pool, and those that reset it.
func pooled(c *Context, v ssa.Value, all *[]ssa.Instruction, resets map[ssa.Instruction]bool) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.TypeAssert:
			pooled(c, r, all, resets)
		case *ssa.Extract:
			if r.Index == 0 {
				pooled(c, r, all, resets)
			}
		case *ssa.MakeInterface:
			if !givenBackLater(r) {
				*all = append(*all, r)
			}
		case *ssa.UnOp: // *list, which may only be cut to nothing
			if !emptied(r) {
				*all = append(*all, r)
			}
		case *ssa.Store:
			*all = append(*all, r)
			if r.Addr == v && zeroed(r.Val) {
				resets[r] = true
			}
		case *ssa.Call:
			*all = append(*all, r)
			_, name := called(&r.Call)
			if name := methodName(name); builtin(&r.Call) == "clear" || (name == "Reset" || name == "Clear") && len(r.Call.Args) > 0 && r.Call.Args[0] == v {
				resets[r] = true
			}
		default:
			*all = append(*all, r)
		}
	}
}

// givenBackLater reports whether a value is only given back to its pool, when the function ends.
func givenBackLater(v ssa.Value) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		d, ok := r.(*ssa.Defer)
		if !ok {
			return true
		}
		pkg, name := called(&d.Call)
		return pkg != "sync" || name != "Pool.Put"
	})
}

// emptied reports whether a slice that was read is only cut to length 0.
func emptied(list ssa.Value) bool {
	for _, r := range *list.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		if s, ok := r.(*ssa.Slice); !ok || !cutToNothing(s) {
			return false
		}
	}
	return true
}

// cutToNothing reports whether a slice expression is list[:0].
func cutToNothing(s *ssa.Slice) bool {
	n, ok := constInt(s.High)
	return ok && n == 0
}

// zeroed reports whether a value contains nothing of its former contents.
func zeroed(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.Slice:
		return cutToNothing(v)
	case *ssa.UnOp: // of a variable that was never written to, or only by a literal
		a, ok := v.X.(*ssa.Alloc)
		return ok && !a.Heap
	}
	return false
}

// methodName returns the name of a method without its type.
func methodName(name string) string { return last("." + name) }
