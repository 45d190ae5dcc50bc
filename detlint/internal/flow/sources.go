package flow

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Sources visits the origins from which a part comes without being rounded: products, parameters of the function, and
// calls of functions that return a product. An operation in between, such as a sum, ends the search.
func (a *Analysis) Sources(p Part, visit func(Part)) {
	(&sources{a, visit, true, map[Part]bool{}}).follow(p)
}

// straight does what Sources does, without origins that are only reached on some paths through the function: a
// compiler that inlines the function does not fuse these.
func (a *Analysis) straight(p Part, visit func(Part)) {
	(&sources{a, visit, false, map[Part]bool{}}).follow(p)
}

type sources struct {
	*Analysis
	visit    func(Part)
	branches bool
	seen     map[Part]bool
}

func (a *sources) follow(p Part) {
	if a.seen[p] || len(a.seen) > 256 {
		return
	}
	a.seen[p] = true
	on := func(v ssa.Value, path string) { a.follow(Part{Of: v, Path: path}) }
	visit := a.visit
	switch v := p.Of.(type) {
	case *ssa.BinOp:
		if isProduct(v) && isFloat(v.Type()) && !exact(v) && !a.rounded(v) {
			visit(p)
		}
	case *ssa.UnOp:
		switch v.Op {
		case token.SUB:
			on(v.X, p.Path)
		case token.MUL:
			a.stored(v, p.Path, on)
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			if a.branches {
				on(e, p.Path)
			}
		}
	case *ssa.Parameter:
		visit(p)
	case *ssa.Field:
		on(v.X, number(v.Field)+p.Path)
	case *ssa.ChangeType:
		on(v.X, p.Path)
	case *ssa.TypeAssert:
		if m, ok := v.X.(*ssa.MakeInterface); ok {
			on(m.X, p.Path)
		}
	case *ssa.Extract:
		if t, ok := v.Tuple.(*ssa.TypeAssert); ok && v.Index == 0 {
			on(t, p.Path)
		}
		if call, ok := v.Tuple.(*ssa.Call); ok {
			a.returned(Part{call, v.Index, p.Path}, visit)
		}
	case *ssa.Call:
		for _, x := range sameFloats(&v.Call) {
			on(x, p.Path)
		}
		a.returned(p, visit)
	}
}

// sameFloats returns the arguments of a call that become its result without a computation: the parts of a complex
// number, and a float that was converted to bits.
func sameFloats(call *ssa.CallCommon) []ssa.Value {
	b, builtin := call.Value.(*ssa.Builtin)
	switch {
	case builtin && b.Name() == "complex":
		return call.Args
	case builtin && (b.Name() == "real" || b.Name() == "imag"):
		made, ok := call.Args[0].(*ssa.Call)
		if !ok {
			return nil
		}
		if b, ok := made.Call.Value.(*ssa.Builtin); !ok || b.Name() != "complex" {
			return nil
		}
		if b.Name() == "imag" {
			return made.Call.Args[1:]
		}
		return made.Call.Args[:1]
	case ofMath(call, "Float64frombits") || ofMath(call, "Float32frombits"):
		if bits, ok := call.Args[0].(*ssa.Call); ok && (ofMath(&bits.Call, "Float64bits") || ofMath(&bits.Call, "Float32bits")) {
			return bits.Call.Args
		}
	}
	return nil
}

// ofMath reports whether a call calls a certain function of package math.
func ofMath(call *ssa.CallCommon, name string) bool {
	fn := call.StaticCallee()
	return fn != nil && fn.Name() == name && fn.Pkg != nil && fn.Pkg.Pkg.Path() == "math"
}

// returned visits a result of a call, if it is a product.
func (a *Analysis) returned(p Part, visit func(Part)) {
	fn := p.Of.(*ssa.Call).Call.StaticCallee()
	if fn == nil {
		return
	}
	if t := a.Traits(fn); t.Products != 0 && t.Products&bitOf(results(fn.Signature), p.Tuple, p.Path) != 0 {
		visit(p)
	}
}

// stored follows a read to the values stored there: the last one, if it was in the same block, otherwise all that are
// stored in a variable of the function. The compiler does not look further, either.
func (a *sources) stored(load *ssa.UnOp, path string, visit func(v ssa.Value, path string)) {
	var last func()
	var perhaps []ssa.Value
	for _, in := range load.Block().Instrs {
		if in == ssa.Instruction(load) {
			break
		}
		if s, ok := in.(*ssa.Store); ok {
			if rest, ok := covers(s.Addr, load.X, path); ok {
				last, perhaps = func() { visit(s.Val, rest) }, nil
			} else if (called(s.Addr) || called(load.X)) && alike(s.Addr, load.X) {
				perhaps = append(perhaps, s.Val)
			}
		}
	}
	for _, v := range perhaps {
		visit(v, path)
	}
	if last != nil {
		last()
		return
	}
	local, ok := Base(load.X).(*ssa.Alloc)
	if !ok {
		return
	}
	n, always := 0, false
	for _, b := range load.Parent().Blocks {
		for _, in := range b.Instrs {
			if s, ok := in.(*ssa.Store); ok && Base(s.Addr) == ssa.Value(local) {
				if rest, ok := covers(s.Addr, load.X, path); ok {
					n++
					always = b.Dominates(load.Block())
					last = func() { visit(s.Val, rest) }
					if a.branches {
						last()
					}
				}
			}
		}
	}
	if n == 1 && always && !a.branches && !local.Heap {
		last()
	}
}

// called reports whether an address is computed by a function that may be inlined: the compiler may then see that it
// is the address of something else.
func called(addr ssa.Value) bool {
	switch v := addr.(type) {
	case *ssa.Call:
		fn := v.Call.StaticCallee()
		return fn != nil && mayInline(fn)
	case *ssa.IndexAddr:
		return called(v.X) || called(v.Index)
	case *ssa.BinOp:
		return called(v.X) || called(v.Y)
	case *ssa.UnOp:
		return called(v.X)
	}
	x := operand(addr)
	return x != nil && called(x)
}

// alike reports whether two addresses may be equal, judging by their types: the address of an element never equals
// that of a field.
func alike(a, b ssa.Value) bool {
	x, field := a.(*ssa.FieldAddr)
	y, other := b.(*ssa.FieldAddr)
	if field && other {
		return x.Field == y.Field && types.Identical(x.X.Type().Underlying(), y.X.Type().Underlying())
	}
	_, element := a.(*ssa.IndexAddr)
	_, another := b.(*ssa.IndexAddr)
	return types.Identical(a.Type(), b.Type()) && !(field && another) && !(element && other)
}

// covers reports whether a write to one address overwrites the part at another one, and returns which part of the
// written value that is.
func covers(written, read ssa.Value, path string) (rest string, ok bool) {
	if way, ok := below(read, written); ok {
		return way + path, true
	}
	if way, ok := below(written, read); ok {
		return strings.CutPrefix(path, way)
	}
	return "", false
}

// below returns the fields that lead from one address to another one within it.
func below(inner, outer ssa.Value) (path string, ok bool) {
	for addr := inner; ; {
		if Same(addr, outer) {
			return path, true
		}
		f, ok := addr.(*ssa.FieldAddr)
		if !ok {
			return "", false
		}
		addr, path = f.X, number(f.Field)+path
	}
}
