package rules

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

var maporder = &Rule{
	Name: "maporder", Short: "ranges over maps whose order has an influence", Duty: "Ranges over maps",
	Fix: "range over the sorted keys: for _, k := range slices.Sorted(maps.Keys(m))", examine: examineMapOrder,
}

// examineMapOrder examines every loop over a map, iterators over maps, and functions of reflection that depend on
// their order.
func examineMapOrder(c *Context) {
	fromLibrary(c)
	c.instructions(func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Next:
			if r, ok := in.Iter.(*ssa.Range); ok && isMap(r.X.Type()) {
				l := mapLoop(c, in, r)
				l.examine()
			}
		case *ssa.Call:
			if pkg, name := called(&in.Call); pkg == "maps" && (name == "Keys" || name == "Values" || name == "All") {
				c.iterator(in, name)
			} else if pkg == "maps" && (name == "DeleteFunc" || name == "EqualFunc") {
				withFunc(c, in, name)
			}
		}
	})
}

// isMap reports whether a type is a map, or a type parameter that stands for one.
func isMap(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return slices.ContainsFunc(terms(p), isMap)
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// iterator examines the uses of maps.Keys, Values or All.
func (c *Context) iterator(call *ssa.Call, name string) {
	for _, r := range *call.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Call:
			if r.Call.Value == ssa.Value(call) {
				c.rangeFunc(r, call, name)
				continue
			}
			var key types.Type
			if m, ok := call.Call.Args[0].Type().Underlying().(*types.Map); ok && name == "Keys" {
				key = m.Key()
			}
			if pkg, callee := called(&r.Call); c.consumes(r, pkg, callee, key) {
				continue
			}
			c.report(call.Pos(), "maps.%s yields in random order, and goes to a function that may depend on it", name)
		default:
			c.report(call.Pos(), "maps.%s yields in random order, and is kept", name)
		}
	}
}

// withFunc examines functions that are called with each entry and may have state.
func withFunc(c *Context, call *ssa.Call, name string) {
	for _, a := range call.Call.Args {
		var t flow.Traits
		switch f := a.(type) {
		case *ssa.Function:
			t = c.Flow.Traits(f)
		case *ssa.MakeClosure:
			t = c.Flow.Traits(f.Fn.(*ssa.Function))
		default:
			continue
		}
		if t.FreeWrites != 0 || len(t.Globals) > 0 || t.Effects {
			c.report(call.Pos(), "maps.%s calls its function in random order, and that changes what is outside of it", name)
		}
	}
}

// consumes reports whether a function consumes an iterator in a way on which its order has no effect. key is the type of
// the keys of a map, if the iterator is over them, and otherwise nil.
func (c *Context) consumes(call *ssa.Call, pkg, name string, key types.Type) bool {
	switch pkg + "." + name {
	case "slices.Sorted", "maps.Collect", "maps.Insert":
		return true
	case "slices.SortedFunc", "slices.SortedStableFunc": // a stable sort preserves a random order
		return len(call.Call.Args) == 2 && totalOrderOfKeys(c, call.Call.Args[1], false, key)
	case "slices.Collect":
		inner := *c
		inner.keys = key
		return sortedNext(&inner, call)
	case "slices.AppendSeq":
		return sortedNext(c, call)
	}
	return false
}

// sortedNext reports whether a slice is sorted before it is used in any other way.
func sortedNext(c *Context, list ssa.Value) bool {
	sorts := sortsOf(c, list)
	if len(sorts) == 0 {
		return false
	}
	return !slices.ContainsFunc(usesOf(list), func(u ssa.Instruction) bool {
		return !slices.Contains(sorts, u) && !orderless(u) && !slices.ContainsFunc(sorts, func(s ssa.Instruction) bool { return before(s, u) })
	})
}

// usesOf returns the uses of a slice, also after it was stored in a variable of the function.
func usesOf(list ssa.Value) []ssa.Instruction {
	var uses []ssa.Instruction
	for _, r := range *list.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.ChangeType:
			uses = append(uses, usesOf(r)...)
		case *ssa.MakeInterface:
			uses = append(uses, usesOf(r)...)
		case *ssa.Call:
			if pkg, name := called(&r.Call); pkg == "sort" && name == "Reverse" {
				uses = append(uses, usesOf(r)...)
				continue
			}
			uses = append(uses, r)
		case *ssa.Store:
			at, ok := r.Addr.(*ssa.Alloc)
			if !ok || r.Val != list {
				if loads := loadsOf(r.Addr, r); r.Val == list && loads != nil {
					for _, l := range loads {
						uses = append(uses, usesOf(l)...)
					}
					continue
				}
				uses = append(uses, r)
				continue
			}
			for _, l := range *at.Referrers() {
				if load, ok := l.(*ssa.UnOp); ok {
					uses = append(uses, usesOf(load)...)
				} else if closure, ok := l.(*ssa.MakeClosure); ok {
					uses = append(uses, usesOf(closure)...)
				}
			}
		default:
			uses = append(uses, r)
		}
	}
	return uses
}

// loadsOf returns the reads of the same address later in the function. A slice that is stored in memory of the state
// and sorted there is sorted in time.
func loadsOf(addr ssa.Value, after *ssa.Store) (loads []ssa.Value) {
	for _, b := range after.Parent().Blocks {
		for _, in := range b.Instrs {
			if u, ok := in.(*ssa.UnOp); ok && u.Op == token.MUL && sameAddr(u.X, addr) && before(after, u) {
				loads = append(loads, u)
			}
		}
	}
	return loads
}

// sortsOf returns the calls that sort a slice by a total order.
func sortsOf(c *Context, list ssa.Value) (sorts []ssa.Instruction) {
	for _, u := range usesOf(list) {
		call, ok := u.(*ssa.Call)
		if !ok {
			continue
		}
		if pkg, name := called(&call.Call); sortsTotally(c, call, pkg, name) {
			sorts = append(sorts, call)
		}
	}
	return sorts
}

// sortsTotally reports whether a call sorts its first argument by an order in which no two
// different elements are equal.
func sortsTotally(c *Context, call *ssa.Call, pkg, name string) bool {
	switch pkg + "." + name {
	case "slices.Sort", "sort.Ints", "sort.Strings":
		return true
	case "slices.SortFunc", "slices.SortStableFunc", "sort.Slice", "sort.SliceStable":
		return totalOrderOfKeys(c, call.Call.Args[1], pkg == "sort", c.keys)
	case "sort.Sort", "sort.Stable":
		return totalLess(c, call.Call.Args[0])
	}
	fn := call.Call.StaticCallee()
	return fn != nil && len(call.Call.Args) > 0 && wrapsSort(c, fn)
}

// wrapsSort reports whether a function only sorts its first parameter.
func wrapsSort(c *Context, fn *ssa.Function) bool {
	if len(fn.Params) == 0 || len(fn.Blocks) == 0 || c.depth > 3 {
		return false
	}
	inner := *c
	inner.Fn, inner.depth = fn, c.depth+1
	inner.indexed, inner.Syntax = nil, nil
	return len(sortsOf(&inner, fn.Params[0])) > 0
}

// orderless reports whether a use of a slice does not depend on the order of its elements.
func orderless(in ssa.Instruction) bool {
	call, ok := in.(*ssa.Call)
	return ok && (builtin(&call.Call) == "len" || builtin(&call.Call) == "cap")
}

// before reports whether one instruction always runs before another one.
func before(a, b ssa.Instruction) bool {
	if a.Block() == nil || b.Block() == nil || a.Parent() != b.Parent() {
		return false
	}
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	return slices.Index(a.Block().Instrs, a) < slices.Index(b.Block().Instrs, b)
}

// rangeFunc examines a range over an iterator: its body is a function, which is called with each entry.
func (c *Context) rangeFunc(call, seq *ssa.Call, name string) {
	if len(call.Call.Args) != 1 {
		return
	}
	body, ok := call.Call.Args[0].(*ssa.MakeClosure)
	var fn *ssa.Function
	if ok {
		fn = body.Fn.(*ssa.Function)
	} else if fn, ok = call.Call.Args[0].(*ssa.Function); !ok {
		c.report(seq.Pos(), "maps.%s yields in random order, and goes to a function that may depend on it", name)
		return
	}
	l := &mapRange{c: c, fn: fn, at: seq.Pos(), what: "maps." + name, ranged: seq.Call.Args[0], blocks: map[*ssa.BasicBlock]bool{}}
	for _, b := range fn.Blocks {
		l.blocks[b] = true
	}
	if len(fn.Params) > 0 && name != "Values" {
		l.key = fn.Params[0]
	}
	for _, p := range fn.Params {
		l.entries = append(l.entries, p)
	}
	l.body = true
	l.examine()
}
