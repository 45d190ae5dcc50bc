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

// totalOrder judges a function that compares two elements, or those at two positions.
func totalOrder(c *Context, v ssa.Value, positions bool) bool {
	return judge{c, positions, map[ssa.Value]bool{}}.total(v)
}

// judge judges the possible values of a comparison function.
type judge struct {
	c         *Context
	positions bool
	seen      map[ssa.Value]bool // variables already judged, which may be assigned to themselves
}

func (j judge) total(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Function:
		return totalFunc(v, j.positions)
	case *ssa.MakeClosure:
		return totalFunc(v.Fn.(*ssa.Function), j.positions)
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
	}
	return false
}

// variable judges the functions that a local or a package variable may hold.
func (j judge) variable(load *ssa.UnOp) bool {
	var stores []ssa.Value
	collect := func(fn *ssa.Function) {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if s, ok := in.(*ssa.Store); ok && s.Addr == load.X {
					stores = append(stores, s.Val)
				}
			}
		}
	}
	switch at := load.X.(type) {
	case *ssa.Alloc:
		collect(j.c.Fn)
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
