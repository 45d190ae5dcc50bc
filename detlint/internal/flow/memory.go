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

	// Callees gives the functions of the program that a call through an interface or a function value may lead to.
	// nil means that nobody knows.
	Callees func(call *ssa.CallCommon) []Callee

	functions map[*ssa.Function]*function
	replaced  map[*ssa.Package]map[*ssa.Global]bool // see initial
	traits    map[*ssa.Function]*known
	lends     map[*ssa.Function][]*ssa.Global // see lentVariables
	circle    circle
}

// New makes an analysis.
func New(elsewhere func(fn *ssa.Function) (Traits, bool)) *Analysis {
	return &Analysis{Elsewhere: elsewhere, functions: map[*ssa.Function]*function{}, replaced: map[*ssa.Package]map[*ssa.Global]bool{}, traits: map[*ssa.Function]*known{}, lends: map[*ssa.Function][]*ssa.Global{}}
}

// function is what is remembered of one: the region of each value, and what is stored in its
// variables.
type function struct {
	regions map[ssa.Value]Region
	stored  map[*ssa.Alloc][]ssa.Value

	converted map[token.Pos]bool // the operators whose results are converted; nil until somebody asks

	active map[ssa.Value]bool // what is followed now
	order  []ssa.Value        // what was followed since nothing was active
	round  bool               // something of it leads back to itself
}

func (a *Analysis) function(fn *ssa.Function) *function {
	f := a.functions[fn]
	if f != nil {
		return f
	}
	f = &function{regions: map[ssa.Value]Region{}, stored: map[*ssa.Alloc][]ssa.Value{}, active: map[ssa.Value]bool{}}
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
	a.Traits(fn) // what it calls is known then, as far as it ever will be
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
		f.round = f.round || f.active[v]
		return r
	}
	if len(f.active) == 0 {
		f.order, f.round = f.order[:0], false
	}
	f.regions[v] = Region{}
	f.order = append(f.order, v)
	f.active[v] = true
	r := a.compute(f, v)
	delete(f.active, v)
	f.regions[v] = r
	if len(f.active) == 0 && f.round {
		a.settle(f)
		return f.regions[v]
	}
	return r
}

// settle follows values that lead back to themselves, as variables of nested loops do, until all of
// them have what the others have.
func (a *Analysis) settle(f *function) {
	for changed := true; changed; {
		changed = false
		for _, v := range f.order {
			old := f.regions[v]
			r := a.compute(f, v)
			r.union(old)
			if r.size() != old.size() {
				f.regions[v], changed = r, true
			}
		}
	}
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
		if fn := a.held(call); fn != nil && a.Traits(fn).ReturnsArg(0) {
			r.union(a.of(f, call.Value))
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
	r.union(Region{Globals: a.lentVariables(callee)})
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

// lentVariables are the package variables to which, or to what they lead to, a function returns references.
func (a *Analysis) lentVariables(fn *ssa.Function) []*ssa.Global {
	if list, ok := a.lends[fn]; ok || len(fn.Blocks) == 0 {
		return list
	}
	a.lends[fn] = nil // while it is read: a circle adds nothing
	var all Region
	f := a.function(fn)
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			for _, v := range ret.Results {
				r := a.of(f, v)
				all.union(r)
				all.union(a.inside(f, r))
			}
		}
	}
	a.lends[fn] = all.Globals
	return all.Globals
}
