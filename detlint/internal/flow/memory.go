package flow

import (
	"go/token"
	"iter"

	"golang.org/x/tools/go/ssa"
)

// Analysis knows the functions of a program by what they do to memory.
type Analysis struct {
	// Elsewhere gives the traits of a function without a body here: of the standard library,
	// or of a package that was analysed before. It reports false if nothing is known.
	Elsewhere func(fn *ssa.Function) (Traits, bool)

	functions map[*ssa.Function]*function
	traits    map[*ssa.Function]*Traits
}

// New makes an analysis.
func New(elsewhere func(fn *ssa.Function) (Traits, bool)) *Analysis {
	return &Analysis{Elsewhere: elsewhere, functions: map[*ssa.Function]*function{}, traits: map[*ssa.Function]*Traits{}}
}

// function is what is remembered of one: the region of each value, and what is stored in its
// variables.
type function struct {
	regions map[ssa.Value]Region
	stored  map[*ssa.Alloc][]ssa.Value
}

func (a *Analysis) function(fn *ssa.Function) *function {
	f := a.functions[fn]
	if f != nil {
		return f
	}
	f = &function{map[ssa.Value]Region{}, map[*ssa.Alloc][]ssa.Value{}}
	a.functions[fn] = f
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if at, ok := Base(in.Addr).(*ssa.Alloc); ok && HasPointers(in.Val.Type()) {
					f.stored[at] = append(f.stored[at], in.Val)
				}
			case *ssa.MapUpdate:
				if at, ok := Base(in.Map).(*ssa.Alloc); ok {
					f.stored[at] = append(f.stored[at], in.Key, in.Value)
				}
			}
		}
	}
	return f
}

// Base strips what leads from a variable to a part of it.
func Base(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.Field:
			v = x.X
		case *ssa.Index:
			v = x.X
		default:
			return v
		}
	}
}

// Of returns the memory that a value of a function is or leads to.
func (a *Analysis) Of(v ssa.Value) Region {
	fn := v.Parent()
	if g, ok := v.(*ssa.Global); ok {
		return Region{Globals: []*ssa.Global{g}}
	}
	if fn == nil {
		return Region{}
	}
	return a.of(a.function(fn), v)
}

// Within returns the memory that a value leads to, by way of variables of the function, too: of
// &copy also what is in copy.
func (a *Analysis) Within(v ssa.Value) Region {
	r := a.Of(v)
	if fn := v.Parent(); fn != nil && len(r.Locals) > 0 {
		r.union(a.inside(a.function(fn), r))
	}
	return r
}

func (a *Analysis) of(f *function, v ssa.Value) Region {
	if g, ok := v.(*ssa.Global); ok {
		return Region{Globals: []*ssa.Global{g}}
	}
	if r, ok := f.regions[v]; ok {
		return r
	}
	f.regions[v] = Region{} // what a circle adds to itself is nothing
	r := a.compute(f, v)
	f.regions[v] = r
	return r
}

// compute follows a value to where it comes from.
func (a *Analysis) compute(f *function, v ssa.Value) (r Region) {
	if !HasPointers(v.Type()) {
		return r
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		for i, p := range v.Parent().Params {
			if p == v {
				r.Params = bit(i)
			}
		}
	case *ssa.FreeVar:
		for i, p := range v.Parent().FreeVars {
			if p == v {
				r.Free = bit(i)
			}
		}
	case *ssa.Alloc:
		r.Locals = []*ssa.Alloc{v}
	case *ssa.UnOp:
		return a.load(f, v)
	case *ssa.Call:
		return a.result(f, &v.Call)
	case *ssa.MakeClosure:
		for _, b := range v.Bindings {
			r.union(a.of(f, b))
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			r.union(a.of(f, e))
		}
	case *ssa.Lookup:
		return a.inside(f, a.of(f, v.X))
	default:
		if x := operand(v); x != nil {
			return a.of(f, x)
		}
	}
	return r
}

// operand returns the one value that a value is a part or a view of.
func operand(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return v.X
	case *ssa.IndexAddr:
		return v.X
	case *ssa.Slice:
		return v.X
	case *ssa.ChangeType:
		return v.X
	case *ssa.ChangeInterface:
		return v.X
	case *ssa.Convert:
		return v.X
	case *ssa.MultiConvert:
		return v.X
	case *ssa.MakeInterface:
		return v.X
	case *ssa.TypeAssert:
		return v.X
	case *ssa.SliceToArrayPointer:
		return v.X
	case *ssa.Field:
		return v.X
	case *ssa.Index:
		return v.X
	case *ssa.Extract:
		return v.Tuple
	case *ssa.Range:
		return v.X
	case *ssa.Next:
		return v.Iter
	}
	return nil
}

// load is what is read from memory, and leads to memory itself.
func (a *Analysis) load(f *function, v *ssa.UnOp) Region {
	if v.Op != token.MUL {
		return Region{}
	}
	return a.inside(f, a.of(f, v.X))
}

// inside is what can be read from a region: of a variable what has been stored in it, of what
// was there before the call itself, since it includes all that it leads to.
func (a *Analysis) inside(f *function, at Region) Region {
	r := Region{Params: at.Params, Free: at.Free, Globals: at.Globals}
	for _, local := range at.Locals {
		for _, v := range f.stored[local] {
			r.union(a.of(f, v))
		}
	}
	return r
}

// result is what a call may return.
func (a *Analysis) result(f *function, call *ssa.CallCommon) (r Region) {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" {
			r.union(a.of(f, call.Args[0]))
			if elem := call.Args[0].Type(); HasPointers(elemOf(elem)) {
				r.union(a.inside(f, a.of(f, call.Args[1])))
			}
		}
		return r
	}
	callee := call.StaticCallee()
	if callee == nil {
		for _, x := range call.Args {
			r.union(a.of(f, x))
		}
		return r
	}
	t := a.Traits(callee)
	for i, x := range call.Args {
		if t.Returns&bit(i) != 0 {
			r.union(a.of(f, x))
		}
	}
	if t.ReturnsFree != 0 {
		r.union(a.of(f, call.Value))
	}
	return r
}

// Within are a value, what it is a part of or was read from, and so on outwards: of fields, elements, lists and
// pointers.
func Within(v ssa.Value) iter.Seq[ssa.Value] {
	return func(yield func(ssa.Value) bool) {
		for v != nil && yield(v) {
			switch x := v.(type) {
			case *ssa.FieldAddr:
				v = x.X
			case *ssa.IndexAddr:
				v = x.X
			case *ssa.UnOp:
				v = x.X
			case *ssa.Slice:
				v = x.X
			case *ssa.ChangeType:
				v = x.X
			default:
				return
			}
		}
	}
}
