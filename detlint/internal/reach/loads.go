package reach

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// loads records the function values and interfaces that an instruction reads from memory that something else may have
// filled long before the step: a package variable, a captured variable, memory to which a parameter refers, results of
// a library. These values cannot be derived from what the step reaches.
func (w *walker) loads(in ssa.Instruction) {
	v, ok := in.(ssa.Value)
	if !ok {
		return
	}
	t := v.Type()
	switch x := in.(type) {
	case *ssa.UnOp:
		if x.Op == token.MUL && madeHere(x.X) || x.Op != token.MUL && x.Op != token.ARROW {
			return
		}
		if list, known := captured(x); known && len(list) > 0 && onlyCalled(x) || w.s.ofMaker(x.X) {
			return
		}
		if x.CommaOk {
			t = t.(*types.Tuple).At(0).Type()
		}
	case *ssa.Field:
		if copiedHere(x.X) {
			return
		}
	case *ssa.Index:
		if copiedHere(x.X) {
			return
		}
	case *ssa.Lookup:
		if madeHere(x.X) {
			return
		}
		if x.CommaOk {
			t = t.(*types.Tuple).At(0).Type()
		}
	case *ssa.TypeAssert:
		t = x.AssertedType // the type before the assertion may have no methods, such as any
	case *ssa.Next:
		if r, ok := x.Iter.(*ssa.Range); !ok || madeHere(r.X) {
			return
		}
		pair := t.(*types.Tuple)
		w.load(pair.At(1).Type(), memory(v))
		t = pair.At(2).Type()
	default:
		return
	}
	w.load(t, memory(v))
}

var errorType = types.Universe.Lookup("error").Type().Underlying()

// load records the functions and methods that may be called of a value.
func (w *walker) load(t types.Type, place string) {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		w.loaded(Load{w.s.signature(u), place})
	case *types.Interface:
		if types.Identical(u, errorType) {
			return // a step only calls methods of errors that it has made, or of a package variable
		}
		for i := range u.NumMethods() {
			w.loaded(Load{What: w.s.methodKey(u.Method(i))})
		}
	}
}

func (w *walker) loaded(what Load) {
	if !slices.Contains(w.f.Loads, what) {
		w.f.Loads = append(w.f.Loads, what)
	}
}

// onlyCalled reports whether a function value is only called: such calls are followed where they are.
func onlyCalled(v ssa.Value) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		call, ok := r.(ssa.CallInstruction)
		_, debug := r.(*ssa.DebugRef)
		return !debug && (!ok || call.Common().Value != v || slices.Contains(call.Common().Args, v))
	})
}

// ofMaker reports whether an address is that of a captured variable, and the literal is only called while the
// function with the variable runs: then the code that stored its value is reached by the step.
func (s *summariser) ofMaker(addr ssa.Value) bool {
	free, ok := addr.(*ssa.FreeVar)
	if !ok {
		return false
	}
	cell, ok := variable(free)
	if !ok {
		return false
	}
	for fn := free.Parent(); fn != cell.Parent(); fn = fn.Parent() {
		if kept, known := s.outlives[fn]; kept || !known {
			return false
		}
	}
	return true
}

// madeHere reports whether the function itself has allocated the memory that a pointer, a slice or a map refers to. If
// so, the code that filled it is part of what the step reaches, and is examined there.
func madeHere(v ssa.Value) bool {
	return filledHere(v, map[ssa.Value]bool{})
}

func filledHere(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan, *ssa.Const:
		return true
	case *ssa.Alloc:
		return !filledAtOnce(x, seen)
	case *ssa.FieldAddr:
		return filledHere(x.X, seen)
	case *ssa.IndexAddr:
		return filledHere(x.X, seen)
	case *ssa.Slice:
		return filledHere(x.X, seen)
	case *ssa.ChangeType:
		return filledHere(x.X, seen)
	case *ssa.Phi:
		return !slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return !filledHere(e, seen) })
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return !slices.ContainsFunc(x.Call.Args, func(a ssa.Value) bool { return !filledHere(a, seen) })
		}
	}
	return false
}

// filledAtOnce reports whether a struct or an array from elsewhere, such as a receiver, is stored in a variable of
// the function.
func filledAtOnce(a *ssa.Alloc, seen map[ssa.Value]bool) bool {
	switch elemOf(a.Type()).Underlying().(type) {
	case *types.Struct, *types.Array:
	default:
		return false
	}
	return slices.ContainsFunc(*a.Referrers(), func(r ssa.Instruction) bool {
		st, ok := r.(*ssa.Store)
		if !ok || st.Addr != ssa.Value(a) {
			return false
		}
		if load, ok := st.Val.(*ssa.UnOp); ok && load.Op == token.MUL {
			return !filledHere(load.X, seen)
		}
		_, zero := st.Val.(*ssa.Const)
		return !zero
	})
}

// copiedHere reports whether a struct or an array was copied from memory that the function has allocated.
func copiedHere(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	return ok && load.Op == token.MUL && madeHere(load.X)
}
