package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// inlined is the maximum number of instructions of a function that the compiler may inline.
const inlined = 100

// arithmetic records which parameters go into sums, and which results are products, without being rounded.
func (a *Analysis) arithmetic(fn *ssa.Function, t *Traits) {
	if pkg := fn.Package(); pkg != nil && roundsItself(pkg.Pkg.Path()) {
		return
	}
	given, returns := params(fn), results(fn.Signature)
	if !mayInline(fn) || !floats(given) && !floats(returns) {
		return
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Return:
				partsOf(returns, func(bit uint64, i int, path string) {
					a.straight(Part{Of: in.Results[i], Path: path}, func(p Part) {
						if _, param := p.Of.(*ssa.Parameter); !param {
							t.Products |= bit
						}
					})
				})
			case *ssa.BinOp:
				if isFloat(in.Type()) && (in.Op == token.ADD || in.Op == token.SUB) {
					t.adds(a, given, Part{Of: in.X})
					t.adds(a, given, Part{Of: in.Y})
				}
			case *ssa.Call:
				a.passesOn(t, given, in)
			}
		}
	}
}

// mayInline reports whether a function is small enough that the compiler may inline it.
func mayInline(fn *ssa.Function) bool {
	size := 0
	for _, b := range fn.Blocks {
		size += len(b.Instrs)
	}
	return size > 0 && size <= inlined
}

// roundsItself reports whether all functions of a package round each product that they receive or return, which a
// test there checks.
func roundsItself(path string) bool {
	return path == "github.com/tickback/tickback/portable" || path == "github.com/tickback/tickback/portable/math32"
}

// passesOn records parameters that are passed to a function that adds something to them.
func (a *Analysis) passesOn(t *Traits, given []types.Type, call *ssa.Call) {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return
	}
	sums := a.Traits(fn).Sums
	if sums == 0 {
		return
	}
	partsOf(params(fn), func(bit uint64, i int, path string) {
		if sums&bit != 0 && i < len(call.Call.Args) {
			t.adds(a, given, Part{Of: call.Call.Args[i], Path: path})
		}
	})
}

// adds records the parameters that become a part of a sum.
func (t *Traits) adds(a *Analysis, given []types.Type, p Part) {
	a.straight(p, func(p Part) {
		if param, ok := p.Of.(*ssa.Parameter); ok {
			t.Sums |= bitOf(given, slices.Index(param.Parent().Params, param), p.Path)
		}
	})
}

func floats(list []types.Type) bool {
	any := false
	partsOf(list, func(uint64, int, string) { any = true })
	return any
}

// Added visits the products among the arguments of a call to which the function adds something.
func (a *Analysis) Added(call *ssa.CallCommon, visit func(arg int, p Part)) {
	fn := call.StaticCallee()
	if fn == nil {
		return
	}
	sums := a.Traits(fn).Sums
	if sums == 0 {
		return
	}
	partsOf(params(fn), func(bit uint64, i int, path string) {
		if sums&bit == 0 || i >= len(call.Args) {
			return
		}
		a.straight(Part{Of: call.Args[i], Path: path}, func(p Part) {
			if _, param := p.Of.(*ssa.Parameter); !param {
				visit(i, p)
			}
		})
	})
}
