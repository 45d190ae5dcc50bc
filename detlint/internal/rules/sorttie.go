package rules

import (
	"golang.org/x/tools/go/ssa"
)

var sorttie = &Rule{
	Name: "sorttie", Short: "sorting, and priority queues, by an order in which different elements are equal", Duty: "Sorting with ties",
	Fix: "break the tie by a unique number: cmp.Or(cmp.Compare(a.Life, b.Life), cmp.Compare(a.ID, b.ID)); or sort stably", examine: examineSortTie,
}

func examineSortTie(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		call, ok := in.(*ssa.Call)
		if !ok {
			return
		}
		pkg, name := called(&call.Call)
		switch pkg + "." + name {
		case "slices.SortFunc", "sort.Slice", "slices.SortedFunc":
			if less := call.Call.Args[1]; !totalOrder(c, less, name == "Slice") && !keyedTotally(c, less) {
				c.report(call.Pos(), "elements that compare as equal end up in an order that %s.%s does not promise", pkg, name)
			}
		case "sort.Sort":
			if !totalLess(c, call.Call.Args[0]) {
				c.report(call.Pos(), "elements that compare as equal end up in an order that sort.Sort does not promise")
			}
		case "container/heap.Init", "container/heap.Push", "container/heap.Pop", "container/heap.Fix", "container/heap.Remove":
			if name == "Pop" && !totalLess(c, call.Call.Args[0]) {
				c.report(call.Pos(), "which of the elements that compare as equal comes first depends on the past of the heap")
			}
		}
	})
}

// totalLess judges the Less method of a value that is passed as an interface.
func totalLess(c *Context, v ssa.Value) bool {
	m, ok := v.(*ssa.MakeInterface)
	if !ok {
		if ch, ok := v.(*ssa.ChangeInterface); ok {
			return totalLess(c, ch.X)
		}
		if call, ok := v.(*ssa.Call); ok { // sort.Reverse of something
			if pkg, name := called(&call.Call); pkg == "sort" && name == "Reverse" {
				return totalLess(c, call.Call.Args[0])
			}
		}
		return false
	}
	t := m.X.Type()
	if n := named(t); n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sort" {
		return true // sort.IntSlice and StringSlice; other rules report Float64Slice
	}
	sel := c.Fn.Prog.MethodSets.MethodSet(t).Lookup(nil, "Less")
	if sel == nil {
		return false
	}
	fn := c.Fn.Prog.MethodValue(sel)
	if fn == nil {
		return true
	}
	return totalFunc(fn, true)
}
