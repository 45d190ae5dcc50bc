package rules

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A pool is state beside the state: a game that goes back to an older state gets back what it had given to the pool, and the
// pool still has it, so that the same object is given out again. It does no harm for what is taken, used and given back
// within a step. This matters to games with memory of their own alone: no other state refers to objects.

// examinePooled notes objects of a sync.Pool that get into memory which was there before, and objects from such memory that
// are put into one; and functions of the library that remember something, in such memory.
func examinePooled(c *Context, say func(in ssa.Instruction, format string, args ...any) *Finding) {
	c.instructions(func(in ssa.Instruction) {
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			return
		}
		pkg, name := called(call.Common())
		var f *Finding
		if what := remembering[pkg+"."+name]; what != "" && call.Value() != nil {
			if p := (&pooledObject{c: c, seen: map[ssa.Value]bool{}}); p.stays(call.Value(), 0) {
				if f = say(in, "what %s.%s returns %s, gets into memory that outlives the call, and does not go back when the state does", pkg, name, what); f != nil {
					f.Own, f.Fix = true, "keep in the state what it has to remember, in fields"
				}
			}
			return
		}
		if pkg != "sync" {
			return
		}
		switch p := (&pooledObject{c: c, seen: map[ssa.Value]bool{}}); {
		case name == "Pool.Get" && call.Value() != nil && p.stays(call.Value(), 0):
			f = say(in, "what a sync.Pool gives gets into memory that outlives the call; when the state goes back, the pool does not, and may give out what the state has")
		case name == "Pool.Put" && len(call.Common().Args) == 2 && p.cameFrom(call.Common().Args[1], 0):
			f = say(in, "what a sync.Pool gets may be of the state; when the state goes back to one that has it, the pool has it, too, and gives it out once more")
		}
		if f != nil {
			f.Own, f.Fix = true, "keep what is free in a list in the state, which is saved like all of it, or make a new one each time"
		}
	})
}

// remembering are the functions of the library that return functions which remember something, and what.
var remembering = map[string]string{
	"sync.OnceFunc": "remembers that it has run", "sync.OnceValue": "remembers that it has run", "sync.OnceValues": "remembers that it has run",
	"iter.Pull": "remembers how far it is", "iter.Pull2": "remembers how far it is",
}

// pooledObject follows an object of a pool.
type pooledObject struct {
	c    *Context
	seen map[ssa.Value]bool
}

// mostPooled is how many calls an object is followed through; beyond that, it counts as one of the state.
const mostPooled = 6

// stays reports whether an object, or memory that it leads to, is stored in something that outlives the function.
func (p *pooledObject) stays(v ssa.Value, depth int) bool {
	if p.seen[v] {
		return false
	}
	p.seen[v] = true
	if depth > mostPooled || v.Referrers() == nil {
		return depth > mostPooled
	}
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool { return p.staysBy(r, v, depth) })
}

func (p *pooledObject) staysBy(in ssa.Instruction, v ssa.Value, depth int) bool {
	switch in := in.(type) {
	case *ssa.TypeAssert, *ssa.Extract, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.Phi, *ssa.Slice, *ssa.FieldAddr, *ssa.IndexAddr:
		return p.stays(in.(ssa.Value), depth)
	case *ssa.UnOp, *ssa.Field, *ssa.Index, *ssa.Lookup: // a copy of what is in it
		x := in.(ssa.Value)
		return refers(x.Type()) && p.stays(x, depth)
	case *ssa.Store:
		if in.Val != v {
			return false // it is written to
		}
		return p.storedAt(in.Addr, depth)
	case *ssa.MapUpdate:
		return (in.Value == v || in.Key == v) && p.storedAt(in.Map, depth)
	case *ssa.MakeClosure:
		for i, b := range in.Bindings {
			if b == v && p.stays(in.Fn.(*ssa.Function).FreeVars[i], depth+1) {
				return true
			}
		}
		return false
	case *ssa.Return:
		return p.returned(in, v, depth)
	case *ssa.Send:
		return in.X == v
	case ssa.CallInstruction:
		return p.passed(in, v, depth)
	}
	return false
}

// storedAt reports whether what is stored at an address stays: a variable of the function is followed.
func (p *pooledObject) storedAt(addr ssa.Value, depth int) bool {
	for range 16 {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		case *ssa.Slice:
			addr = x.X
		case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
			return p.stays(addr, depth)
		default:
			return !p.seen[addr] // in the object itself, or in memory from elsewhere
		}
	}
	return true
}

// returned reports whether what callers do with a result makes it stay. If they are not known, it may.
func (p *pooledObject) returned(r *ssa.Return, v ssa.Value, depth int) bool {
	if p.c.Calls == nil {
		return true
	}
	calls := p.c.Calls(r.Parent())
	for _, call := range calls {
		if len(r.Results) == 1 {
			if p.stays(call, depth+1) {
				return true
			}
			continue
		}
		for _, u := range *call.Referrers() {
			if x, ok := u.(*ssa.Extract); ok && r.Results[x.Index] == v && p.stays(x, depth+1) {
				return true
			}
		}
	}
	return len(calls) == 0
}

// passed reports whether a callee keeps what is passed to it.
func (p *pooledObject) passed(in ssa.CallInstruction, v ssa.Value, depth int) bool {
	call := in.Common()
	if name := builtin(call); name != "" {
		return name == "append" && in.Value() != nil && p.stays(in.Value(), depth)
	}
	if pkg, name := called(call); pkg == "sync" && name == "Pool.Put" {
		return false
	}
	fn := call.StaticCallee()
	for i, a := range call.Args {
		if a != v {
			continue
		}
		if fn != nil && len(fn.Blocks) > 0 && i < len(fn.Params) {
			if p.stays(fn.Params[i], depth+1) {
				return true
			}
			continue
		}
		if fn == nil {
			return true // nobody knows what it does with it
		}
		t := p.c.Flow.Traits(fn)
		if t.KeepsArg(i) || t.ReturnsArg(i) && in.Value() != nil && p.stays(in.Value(), depth+1) {
			return true
		}
	}
	return false
}

// cameFrom reports whether a value was loaded from memory that was there before, or may have been.
func (p *pooledObject) cameFrom(v ssa.Value, depth int) bool {
	if p.seen[v] {
		return false
	}
	p.seen[v] = true
	if depth > 2*mostPooled {
		return true
	}
	switch x := v.(type) {
	case *ssa.MakeInterface:
		return p.cameFrom(x.X, depth)
	case *ssa.ChangeType:
		return p.cameFrom(x.X, depth)
	case *ssa.ChangeInterface:
		return p.cameFrom(x.X, depth)
	case *ssa.TypeAssert:
		return p.cameFrom(x.X, depth)
	case *ssa.Slice:
		return p.cameFrom(x.X, depth)
	case *ssa.Extract:
		return p.cameFrom(x.Tuple, depth)
	case *ssa.Phi:
		return slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return p.cameFrom(e, depth) })
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.Const:
		return false
	case *ssa.UnOp:
		return p.loadedFrom(x.X, depth)
	case *ssa.FreeVar:
		b := binding(x.Parent().Parent(), x.Parent(), x)
		return b == nil || p.cameFrom(b, depth+1)
	case *ssa.Parameter:
		return p.given(x, depth)
	case *ssa.Call:
		return p.result(x, depth)
	}
	return true
}

// loadedFrom reports whether what is at an address was there before. In a variable of the function, it is what was stored.
func (p *pooledObject) loadedFrom(addr ssa.Value, depth int) bool {
	if free, ok := addr.(*ssa.FreeVar); ok {
		addr = binding(free.Parent().Parent(), free.Parent(), free)
	}
	cell, ok := addr.(*ssa.Alloc)
	if !ok {
		return true
	}
	return slices.ContainsFunc(*cell.Referrers(), func(r ssa.Instruction) bool {
		s, ok := r.(*ssa.Store)
		return ok && s.Addr == cell && p.cameFrom(s.Val, depth)
	})
}

// given reports whether a caller passes what was there before. If callers are not known, one may.
func (p *pooledObject) given(v *ssa.Parameter, depth int) bool {
	fn := v.Parent()
	if p.c.Calls == nil {
		return true
	}
	i := slices.Index(fn.Params, v)
	calls := p.c.Calls(fn)
	for _, call := range calls {
		if i < 0 || i >= len(call.Call.Args) || p.cameFrom(call.Call.Args[i], depth+1) {
			return true
		}
	}
	return len(calls) == 0
}

// result reports whether a call returns what was there before.
func (p *pooledObject) result(call *ssa.Call, depth int) bool {
	if pkg, name := called(&call.Call); pkg == "sync" && name == "Pool.Get" {
		return false // examined there
	}
	if builtin(&call.Call) == "append" {
		return p.cameFrom(call.Call.Args[0], depth)
	}
	fn := call.Call.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 {
		return true
	}
	for _, b := range fn.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			for _, v := range r.Results {
				if refers(v.Type()) && p.cameFrom(v, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// refers reports whether values of a type lead to memory that others may have, too.
func refers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct:
		for i := range u.NumFields() {
			if refers(u.Field(i).Type()) {
				return true
			}
		}
		return false
	case *types.Array:
		return refers(u.Elem())
	}
	return true
}
