package rules

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

// stages examines the functions of world.Stage and world.Tasks, which run on several goroutines: they may change what
// the world lends them for their chunk, what they have made themselves, and parts of slices that are selected by the
// number of the chunk or task.
func stages(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		call, ok := in.(*ssa.Call)
		if !ok {
			return
		}
		pkg, name := called(&call.Call)
		if pkg != tickback+"/world" || name != "Stage" && name != "Tasks" {
			return
		}
		w := work{c: c, seen: map[string]bool{}, of: "the work of a stage", others: "the work of other chunks sees"}
		if name == "Tasks" {
			w.of, w.others = "a task", "other tasks see"
		}
		switch fn := call.Call.Args[len(call.Call.Args)-1].(type) {
		case *ssa.Function:
			w.begin(fn)
		case *ssa.MakeClosure:
			w.begin(fn.Fn.(*ssa.Function))
		}
	})
}

// sight describes the memory that a value of a function refers to.
type sight struct {
	shared bool // it is, or points to, memory that functions for other chunks use
	holds  bool // it is a variable of the function itself that contains something shared
	own    bool // it differs between chunks or tasks, or is a variable with such a value
}

// work follows memory that all chunks share through the functions that it is passed to.
type work struct {
	c          *Context
	seen       map[string]bool
	of, others string // for messages
}

// begin examines the function that receives the context and the chunk or task, or has captured something.
func (w *work) begin(fn *ssa.Function) {
	f := frame{work: w, at: map[ssa.Value]sight{}}
	for i, p := range fn.Params {
		last := i == len(fn.Params)-1
		f.at[p] = sight{shared: !last && leads(p.Type()), own: last}
	}
	for _, v := range fn.FreeVars {
		f.at[v] = sight{shared: true}
	}
	f.look(fn)
}

// leads reports whether a value of a type gives access to memory.
func leads(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map:
		return true
	}
	return false
}

// frame is one call of a function: what its parameters and captured variables refer to.
type frame struct {
	*work
	at map[ssa.Value]sight
}

// look reports writes to memory that the functions for other chunks may read. The result of a call, such as the cells
// of a chunk, belongs to this chunk.
func (f frame) look(fn *ssa.Function) {
	key := fn.String()
	for _, p := range fn.Params {
		key += fmt.Sprint(f.at[p])
	}
	for _, v := range fn.FreeVars {
		key += fmt.Sprint(f.at[v])
	}
	if f.seen[key] || len(f.seen) > 256 {
		return
	}
	f.seen[key] = true
	instructionsOf(fn, func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Store:
			if f.shared(in.Addr, 0) {
				f.c.report(in.Pos(), "%s changes what %s, and which is first is up to the scheduler", f.of, f.others)
			}
		case *ssa.MapUpdate:
			if f.shared(in.Map, 0) {
				f.c.report(in.Pos(), "%s changes a map that %s", f.of, f.others)
			}
		case *ssa.Call:
			f.call(in)
		case *ssa.MakeClosure:
			f.closure(in)
		}
	})
}

// call examines a function that receives shared memory.
func (f frame) call(call *ssa.Call) {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return
	}
	if pkg, _ := nameOf(fn); pkg == tickback+"/world" {
		return
	}
	inner, sees := frame{work: f.work, at: map[ssa.Value]sight{}}, false
	for i, a := range call.Call.Args {
		if i < len(fn.Params) {
			s := f.sight(a)
			inner.at[fn.Params[i]] = s
			sees = sees || s.shared || s.holds
		}
	}
	if sees {
		inner.look(fn)
	}
}

// closure examines a function that is made here, such as the body of a loop over the rows of a chunk.
func (f frame) closure(in *ssa.MakeClosure) {
	fn := in.Fn.(*ssa.Function)
	inner := frame{work: f.work, at: map[ssa.Value]sight{}}
	for i, b := range in.Bindings {
		inner.at[fn.FreeVars[i]] = f.sight(b)
	}
	inner.look(fn)
}

// sight determines what a value that is passed to another function refers to.
func (f frame) sight(v ssa.Value) sight {
	if s, known := f.at[v]; known {
		return s
	}
	s := sight{shared: leads(v.Type()) && f.shared(v, 0), own: f.own(v, 0)}
	if cell, ok := v.(*ssa.Alloc); ok {
		s.holds, s.own = f.stored(cell, 0)
	}
	return s
}

// stored determines what is in a variable of the function.
func (f frame) stored(cell *ssa.Alloc, depth int) (shared, own bool) {
	for _, use := range *cell.Referrers() {
		if s, ok := use.(*ssa.Store); ok && s.Addr == cell {
			shared = shared || leads(s.Val.Type()) && f.shared(s.Val, depth+1)
			own = own || f.own(s.Val, depth+1)
		}
	}
	return shared, own
}

// deep limits how far values are followed.
const deep = 24

// shared reports whether an address is reached from shared memory through fields, elements and pointers, without an
// element that is selected by the chunk or the task.
func (f frame) shared(v ssa.Value, depth int) bool {
	loaded := false
	for x := range flow.Within(v) {
		switch x := x.(type) {
		case *ssa.IndexAddr:
			if f.own(x.Index, depth+1) {
				return false
			}
		case *ssa.Slice:
			if x.Low != nil && f.own(x.Low, depth+1) {
				return false
			}
		case *ssa.UnOp:
			loaded = true
		case *ssa.Parameter, *ssa.FreeVar:
			s := f.at[x]
			return s.shared || s.holds && loaded
		case *ssa.Alloc:
			if !loaded || depth > deep {
				return false
			}
			holds, _ := f.stored(x, depth+1)
			return holds
		case *ssa.Phi:
			if depth > deep {
				return false
			}
			for _, e := range x.Edges {
				if e != x && f.shared(e, depth+8) {
					return true
				}
			}
			return false
		}
	}
	return false
}

// own reports whether a value is computed from the number of the chunk or of the task.
func (f frame) own(v ssa.Value, depth int) bool {
	if depth > deep {
		return false
	}
	if s, known := f.at[v]; known {
		return s.own
	}
	switch x := v.(type) {
	case *ssa.Alloc:
		_, own := f.stored(x, depth+1)
		return own
	case *ssa.Phi:
		for _, e := range x.Edges {
			if e != x && f.own(e, depth+8) {
				return true
			}
		}
		return false
	case *ssa.BinOp, *ssa.UnOp, *ssa.Convert, *ssa.ChangeType, *ssa.Extract, *ssa.Call, *ssa.Field, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Index, *ssa.Slice:
		for _, o := range x.(ssa.Instruction).Operands(nil) {
			if *o != nil && f.own(*o, depth+1) {
				return true
			}
		}
	}
	return false
}
