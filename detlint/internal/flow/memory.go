package flow

import (
	"go/token"
	"go/types"
	"iter"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Analysis determines and caches what the functions of a program do to memory.
type Analysis struct {
	// Elsewhere returns the traits of a function without a body here: one of the standard library, or of a package
	// that was analysed before. It returns false if nothing is known.
	Elsewhere func(fn *ssa.Function) (Traits, bool)

	// Callees returns the functions of the program that a call through an interface or a function value may lead to.
	// nil means that they are not known.
	Callees func(call *ssa.CallCommon) []Callee

	functions map[*ssa.Function]*function
	replaced  map[*ssa.Package]map[*ssa.Global]bool // see initial
	traits    map[*ssa.Function]*known
	callers   map[*ssa.Package]map[*ssa.Function][]*ssa.CallCommon // see Callers
	circle    circle
}

// New returns an analysis.
func New(elsewhere func(fn *ssa.Function) (Traits, bool)) *Analysis {
	return &Analysis{Elsewhere: elsewhere, functions: map[*ssa.Function]*function{}, replaced: map[*ssa.Package]map[*ssa.Global]bool{}, traits: map[*ssa.Function]*known{}, callers: map[*ssa.Package]map[*ssa.Function][]*ssa.CallCommon{}}
}

// function is what is cached about a function: the region of each value, and what is stored in its variables.
type function struct {
	regions map[ssa.Value]Region
	stored  map[*ssa.Alloc][]stored

	converted map[token.Pos]bool // the operators whose results are converted; nil until they are needed

	active map[ssa.Value]bool // the values being followed
	order  []ssa.Value        // the values followed since none was active
	round  bool               // one of them leads back to itself
}

// stored is a value that is stored in a variable of a function.
type stored struct {
	ssa.Value
	field int // the field of the variable; whole if it is not known, or if there is none
}

// whole stands for a variable as a whole instead of a field.
const whole = -1

func (a *Analysis) function(fn *ssa.Function) *function {
	f := a.functions[fn]
	if f != nil {
		return f
	}
	f = &function{regions: map[ssa.Value]Region{}, stored: map[*ssa.Alloc][]stored{}, active: map[ssa.Value]bool{}}
	a.functions[fn] = f
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if at, ok := Base(in.Addr).(*ssa.Alloc); ok && HasPointers(in.Val.Type()) {
					f.stored[at] = append(f.stored[at], stored{in.Val, fieldOf(in.Addr)})
				}
			case *ssa.MapUpdate:
				if at, ok := Base(in.Map).(*ssa.Alloc); ok {
					f.stored[at] = append(f.stored[at], stored{in.Key, whole}, stored{in.Value, whole})
				}
			}
		}
	}
	return f
}

// fieldOf returns the field of a variable that an address points to, or into.
func fieldOf(addr ssa.Value) int {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			if _, ok := x.X.(*ssa.Alloc); ok {
				return x.Field
			}
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		default:
			return whole
		}
	}
}

// Base returns the variable that a value is a part of.
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

// Of returns the memory that a value of a function is or refers to.
func (a *Analysis) Of(v ssa.Value) Region {
	fn := v.Parent()
	if g, ok := v.(*ssa.Global); ok {
		return Region{Globals: []*ssa.Global{g}}
	}
	if fn == nil {
		return Region{}
	}
	a.Traits(fn) // afterwards as much as possible is known about its callees
	return a.of(a.function(fn), v)
}

// Within returns the memory that a value refers to, including through variables of the function: for &copy also what
// copy leads to.
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

// settle follows values that refer back to themselves, as variables of nested loops do, until all of them have the same
// regions.
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

// compute follows a value to its origins.
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
	case *ssa.Field:
		if u, ok := v.X.(*ssa.UnOp); ok && u.Op == token.MUL {
			if local, ok := u.X.(*ssa.Alloc); ok {
				return a.field(f, local, v.Field, mostCopies)
			}
		}
		return a.of(f, v.X)
	default:
		if x := operand(v); x != nil {
			return a.of(f, x)
		}
	}
	return r
}

// operand returns the single value that a value is a part or a view of.
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

// load returns the memory that a value read from memory refers to.
func (a *Analysis) load(f *function, v *ssa.UnOp) Region {
	if v.Op != token.MUL {
		return Region{}
	}
	at, ok := v.X.(*ssa.FieldAddr)
	if !ok {
		return a.inside(f, a.of(f, v.X))
	}
	local, ok := at.X.(*ssa.Alloc)
	if !ok {
		return a.inside(f, a.of(f, v.X))
	}
	return a.field(f, local, at.Field, mostCopies)
}

// mostCopies limits the number of nested copies of a struct through which a field is followed.
const mostCopies = 4

// field returns the memory stored in a field of a variable, or of the struct that it is a copy of.
func (a *Analysis) field(f *function, local *ssa.Alloc, number, copies int) (r Region) {
	for _, s := range f.stored[local] {
		copied, ok := s.Value.(*ssa.UnOp)
		switch {
		case s.field != number && s.field != whole:
		case s.field == whole && ok && copied.Op == token.MUL && copies > 0:
			if from, ok := copied.X.(*ssa.Alloc); ok && from != local && types.Identical(from.Type(), local.Type()) {
				r.union(a.field(f, from, number, copies-1))
				break
			}
			r.union(a.of(f, s.Value))
		default:
			r.union(a.of(f, s.Value))
		}
	}
	return r
}

// inside returns what can be read from a region: for a variable what was stored in it; for memory that existed before
// the call, the region itself, since it includes everything that it refers to.
func (a *Analysis) inside(f *function, at Region) Region {
	r := Region{Params: at.Params, Free: at.Free, Globals: at.Globals}
	for _, local := range at.Locals {
		for _, s := range f.stored[local] {
			r.union(a.of(f, s.Value))
		}
	}
	return r
}

// result returns the memory that a call may return.
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
		a.Each(call, func(t Traits, args []ssa.Value) { a.leadsTo(f, &r, t, call, args) })
		return r
	}
	a.leadsTo(f, &r, a.Traits(callee), call, call.Args)
	return r
}

// leadsTo adds the memory that the result of a call refers to, according to the traits of the callee.
func (a *Analysis) leadsTo(f *function, r *Region, t Traits, call *ssa.CallCommon, args []ssa.Value) {
	for i, x := range args {
		if t.ReturnsArg(i) {
			r.union(a.of(f, x))
		}
	}
	if t.ReturnsFree != 0 {
		r.union(a.of(f, call.Value))
	}
	for _, name := range t.ReturnsGlobals {
		if g := global(call, name); g != nil {
			r.union(Region{Globals: []*ssa.Global{g}})
		}
	}
}

// global finds a package variable by its full name, from the program of a call; nil if its package is not loaded.
func global(call *ssa.CallCommon, name string) *ssa.Global {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return nil
	}
	var at *ssa.Function
	if fn := call.Value.Parent(); fn != nil {
		at = fn
	} else if fn, ok := call.Value.(*ssa.Function); ok {
		at = fn
	}
	if at == nil {
		return nil
	}
	p := at.Prog.ImportedPackage(name[:dot])
	if o := at.Origin(); o != nil {
		at = o
	}
	if p == nil && at.Pkg != nil && at.Pkg.Pkg.Path() == name[:dot] {
		p = at.Pkg
	}
	if p == nil {
		return nil
	}
	return p.Var(name[dot+1:])
}

// Within yields a value, then the value that it is a part of or was read from, and so on outwards: through fields,
// elements, slices and pointers.
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
