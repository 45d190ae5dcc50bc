package rules

import (
	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

// stages looks at the work of world.Stage, which runs on several goroutines: it may change what
// the world lends it for its chunk, and nothing else that it did not make itself.
func stages(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		call, ok := in.(*ssa.Call)
		if !ok {
			return
		}
		if pkg, name := called(&call.Call); pkg != tickback+"/world" || name != "Stage" {
			return
		}
		switch work := call.Call.Args[len(call.Call.Args)-1].(type) {
		case *ssa.Function:
			stageWork(c, work, map[*ssa.Function]bool{})
		case *ssa.MakeClosure:
			stageWork(c, work.Fn.(*ssa.Function), map[*ssa.Function]bool{})
		}
	})
}

// stageWork reports writes to memory that the work of other chunks may see: to captured variables, and
// to the context that all share. What a call returns, such as the cells of a chunk, is its own.
func stageWork(c *Context, fn *ssa.Function, seen map[*ssa.Function]bool) {
	if seen[fn] || len(fn.Blocks) == 0 {
		return
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if shared(in.Addr) {
					c.report(in.Pos(), "the work of a stage changes what the work of other chunks sees, and which is first is up to the scheduler")
				}
			case *ssa.MapUpdate:
				if shared(in.Map) {
					c.report(in.Pos(), "the work of a stage changes a map that the work of other chunks sees")
				}
			case *ssa.Call:
				handsOn(c, in, seen)
			}
		}
	}
}

// handsOn looks at functions that get the shared memory itself.
func handsOn(c *Context, call *ssa.Call, seen map[*ssa.Function]bool) {
	fn := call.Call.StaticCallee()
	if fn == nil || len(call.Call.Args) == 0 {
		return
	}
	if pkg, _ := nameOf(fn); pkg == tickback+"/world" {
		return
	}
	for _, a := range call.Call.Args {
		if shared(a) {
			stageWork(c, fn, seen)
			return
		}
	}
}

// shared reports whether an address leads from a parameter or a captured variable by fields,
// elements and pointers alone.
func shared(v ssa.Value) bool {
	for x := range flow.Within(v) {
		switch x := x.(type) {
		case *ssa.Parameter:
			return pointer(x)
		case *ssa.FreeVar:
			return true
		}
	}
	return false
}
