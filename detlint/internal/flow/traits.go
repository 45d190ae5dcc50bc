package flow

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Traits describes what a call of a function does, without its code.
type Traits struct {
	Writes  uint64 // bit i: to what parameter i leads to; the receiver is parameter 0
	Keeps   uint64 // bit i: it stores what leads to parameter i in memory that outlives the call
	Returns uint64 // bit i: the result may lead to what parameter i leads to

	FreeWrites  uint64 // like Writes, for captured variables
	ReturnsFree uint64

	Globals        []string // package variables that it may write to, by full name
	ReturnsGlobals []string // package variables that the result may lead to
	Effects        bool     // it has effects other than writes, such as sending or starting a goroutine
	Dynamic        bool     // it calls a function that only the caller knows
	Prints         uint64   // bit i: it passes parameter i, an interface or a slice of them, to package fmt

	// The following is for functions that the compiler may inline. Bit i is the i-th float of the results, or of the
	// parameters, including fields of structs.
	Products uint64 // it is a product that has not been rounded explicitly
	Sums     uint64 // something is added to it or subtracted from it
}

// Pure reports whether a call changes nothing, as far as is known.
func (t Traits) Pure() bool {
	return t.Writes == 0 && t.Keeps == 0 && t.FreeWrites == 0 && len(t.Globals) == 0 && !t.Effects && !t.Dynamic
}

// WritesTo reports whether a call may write to memory that its i-th argument refers to.
func (t Traits) WritesTo(i int) bool { return t.Writes&bit(i) != 0 }

// KeepsArg reports whether a call may store its i-th argument.
func (t Traits) KeepsArg(i int) bool { return t.Keeps&bit(i) != 0 }

// ReturnsArg reports whether the result of a call may refer to its i-th argument.
func (t Traits) ReturnsArg(i int) bool { return t.Returns&bit(i) != 0 }

// Unknown has the traits of a function about which nothing is known.
var Unknown = Traits{Writes: ^uint64(0), Keeps: ^uint64(0), Returns: ^uint64(0), Effects: true, Dynamic: true}

func elemOf(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	case *types.Pointer:
		return u.Elem()
	}
	return t
}

func (a *Analysis) instruction(f *function, t *Traits, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		t.write(a.of(f, in.Addr))
		a.keep(f, t, a.of(f, in.Addr), in.Val)
	case *ssa.MapUpdate:
		t.write(a.of(f, in.Map))
		a.keep(f, t, a.of(f, in.Map), in.Key, in.Value)
	case *ssa.Send, *ssa.Go, *ssa.Select:
		t.Effects = true
	case *ssa.MakeClosure:
		a.closure(f, t, in)
	case ssa.CallInstruction:
		a.call(f, t, in.Common())
	case *ssa.Return:
		for _, v := range in.Results {
			r := a.of(f, v)
			t.returnsGlobals(v.Type(), r.Globals)
			for _, local := range r.Locals { // an address of a variable leads to what is in it
				for _, s := range f.stored[local] {
					r.union(a.of(f, s.Value))
				}
			}
			t.Returns |= r.Params
			t.ReturnsFree |= r.Free
		}
	}
}

// returnsGlobals records package variables to which a result refers directly. A struct, or a slice that was made here,
// may contain others, which are not distinguished.
func (t *Traits) returnsGlobals(result types.Type, globals []*ssa.Global) {
	if _, ok := result.Underlying().(*types.Struct); ok || isError(result) {
		return
	}
	for _, g := range globals {
		if !isError(elemOf(g.Type())) && !slices.Contains(t.ReturnsGlobals, g.String()) { // nothing changes what errors.New returned
			t.ReturnsGlobals = append(t.ReturnsGlobals, g.String())
		}
	}
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

func isFloat(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

func (t *Traits) write(r Region) {
	t.Writes |= r.Params
	t.FreeWrites |= r.Free
	for _, g := range r.Globals {
		t.global(g.String())
	}
}

func (t *Traits) global(name string) {
	if !slices.Contains(t.Globals, name) {
		t.Globals = append(t.Globals, name)
	}
}

// keep records parameters that are stored in memory that existed before the call, other than their own.
func (a *Analysis) keep(f *function, t *Traits, at Region, values ...ssa.Value) {
	for _, v := range values {
		p := a.of(f, v).Params
		if at.Free != 0 || len(at.Globals) > 0 {
			t.Keeps |= p
		} else if at.Params != 0 {
			t.Keeps |= p &^ at.Params
		}
	}
}

// closure adds what a function literal does to captured variables, as if it were called where it is made.
func (a *Analysis) closure(f *function, t *Traits, c *ssa.MakeClosure) {
	inner := a.Traits(c.Fn.(*ssa.Function))
	t.write(a.changes(f, c))
	for _, g := range inner.Globals {
		t.global(g)
	}
	t.Effects = t.Effects || inner.Effects
	t.Dynamic = t.Dynamic || inner.Dynamic
}

// Changes returns the captured memory that a function literal, or a method value, changes when it is called.
func (a *Analysis) Changes(c *ssa.MakeClosure) Region {
	a.Traits(c.Parent())
	return a.changes(a.function(c.Parent()), c)
}

func (a *Analysis) changes(f *function, c *ssa.MakeClosure) (r Region) {
	fn := c.Fn.(*ssa.Function)
	inner := a.Traits(fn)
	for i, b := range c.Bindings {
		if inner.FreeWrites&bit(i) != 0 {
			at := a.of(f, b)
			r.union(at)
			if a.writesBehind(fn, i) {
				r.union(a.inside(f, at))
			}
		}
	}
	return r
}

// writesBehind reports whether a function literal writes to memory to which a captured variable refers, not only to the
// variable itself.
func (a *Analysis) writesBehind(fn *ssa.Function, free int) bool {
	f := a.function(fn)
	in := func(v ssa.Value) bool { return a.of(f, v).Free&bit(free) != 0 }
	for _, b := range fn.Blocks {
		for _, x := range b.Instrs {
			switch x := x.(type) {
			case *ssa.Store:
				if in(x.Addr) && Base(x.Addr) != ssa.Value(fn.FreeVars[free]) {
					return true
				}
			case *ssa.MapUpdate:
				if in(x.Map) {
					return true
				}
			case *ssa.MakeClosure:
				for j, y := range x.Bindings {
					if y == ssa.Value(fn.FreeVars[free]) && a.writesBehind(x.Fn.(*ssa.Function), j) {
						return true
					}
				}
			case ssa.CallInstruction:
				if a.callWrites(x.Common(), in) {
					return true
				}
			}
		}
	}
	return false
}

// callWrites reports whether a call writes to one of the arguments for which in returns true.
func (a *Analysis) callWrites(call *ssa.CallCommon, in func(v ssa.Value) bool) bool {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return (b.Name() == "copy" || b.Name() == "delete" || b.Name() == "clear") && in(call.Args[0])
	}
	found := false
	a.Each(call, func(t Traits, args []ssa.Value) {
		for i, x := range args {
			found = found || t.WritesTo(i) && in(x)
		}
	})
	return found
}

func (a *Analysis) call(f *function, t *Traits, call *ssa.CallCommon) {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "copy", "delete", "clear":
			t.write(a.of(f, call.Args[0]))
		case "close", "print", "println":
			t.Effects = true
		}
		return
	}
	callee := call.StaticCallee()
	if callee == nil {
		t.Dynamic = true
		a.Each(call, func(inner Traits, args []ssa.Value) {
			for i, x := range args {
				if inner.WritesTo(i) {
					t.write(a.of(f, x))
				}
			}
			for _, g := range inner.Globals {
				t.global(g)
			}
		})
		return
	}
	inner := a.Traits(callee)
	for i, x := range call.Args {
		if inner.Prints&bit(i) != 0 || isPrinted(callee, call, i) {
			t.prints(x)
		}
		if inner.Writes&bit(i) != 0 {
			t.write(a.of(f, x))
		}
		if inner.Keeps&bit(i) != 0 {
			t.Keeps |= a.of(f, x).Params
		}
	}
	for _, g := range inner.Globals {
		t.global(g)
	}
	t.Effects = t.Effects || inner.Effects
	t.Dynamic = t.Dynamic || inner.Dynamic && !handled(call)
}

// handled reports whether all functions that are passed to a call are literals or named here, so that their effects
// are added where they are made.
func handled(call *ssa.CallCommon) bool {
	any := false
	for _, x := range call.Args {
		switch x.Type().Underlying().(type) {
		case *types.Signature:
			switch x.(type) {
			case *ssa.MakeClosure, *ssa.Function:
				any = true
			default:
				return false
			}
		case *types.Interface:
			return false
		}
	}
	return any
}
