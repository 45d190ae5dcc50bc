package flow

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Sources visits what a part comes from without being rounded: products, parameters of the function, and calls
// of functions that return a product. An operation between them, such as a sum, ends the way.
func (a *Analysis) Sources(p Part, visit func(Part)) {
	(&sources{a, visit, true, map[Part]bool{}}).follow(p)
}

// straight is Sources without what only some way through the function leads to: a compiler that puts one function
// into another looks no further.
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
		if v.Op == token.MUL && isFloat(v.Type()) && !exact(v) && !a.rounded(v) {
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
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			a.returned(Part{call, v.Index, p.Path}, visit)
		}
	case *ssa.Call:
		a.returned(p, visit)
	}
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

// stored follows a read to what was stored there: the last that was, if that was in the same block, or else
// all that are stored in a variable of the function. The compiler does not look further, either.
func (a *sources) stored(load *ssa.UnOp, path string, visit func(v ssa.Value, path string)) {
	var last func()
	for _, in := range load.Block().Instrs {
		if in == ssa.Instruction(load) {
			break
		}
		if s, ok := in.(*ssa.Store); ok {
			if rest, ok := covers(s.Addr, load.X, path); ok {
				last = func() { visit(s.Val, rest) }
			}
		}
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

// covers reports whether a write to one address writes the part of another one, and which part of what is
// written that is.
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

// exact reports whether a product only changes the exponent: by a power of two from 1/1024 to 1024,
// as in 2*x. It is not rounded, so that it does not matter whether it is fused. (Of numbers too
// small for that, a game has none.)
func exact(b *ssa.BinOp) bool {
	for _, x := range []ssa.Value{b.X, b.Y} {
		k, ok := x.(*ssa.Const)
		if !ok || k.Value == nil || k.Value.Kind() == constant.Complex {
			continue
		}
		f, _ := constant.Float64Val(k.Value)
		if fraction, exponent := math.Frexp(math.Abs(f)); fraction == 0.5 && -10 < exponent && exponent < 12 {
			return true
		}
	}
	return false
}

// rounded reports whether the source converts a product right away, as in float64(x*y).
func (a *Analysis) rounded(b *ssa.BinOp) bool {
	f := a.function(b.Parent())
	if f.converted == nil {
		f.converted = converted(b.Parent())
	}
	return f.converted[b.Pos()]
}

// converted are the positions of operators whose results are converted. A call of a function with one argument
// looks alike, but is an instruction of its own.
func converted(fn *ssa.Function) map[token.Pos]bool {
	found := map[token.Pos]bool{}
	if fn.Syntax() == nil {
		return found
	}
	calls := map[token.Pos]bool{}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(ssa.CallInstruction); ok {
				calls[c.Pos()] = true
			}
		}
	}
	ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || len(c.Args) != 1 || calls[c.Lparen] {
			return true
		}
		if x, ok := ast.Unparen(c.Args[0]).(*ast.BinaryExpr); ok && !builtinName(c.Fun) {
			found[x.OpPos] = true
		}
		return true
	})
	return found
}

// builtinName reports whether an expression is the name of a built-in function that gives back what it is given.
func builtinName(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && slices.Contains([]string{"min", "max", "real", "imag", "append", "panic", "print", "println"}, id.Name)
}

// inlined bounds how many instructions a function has that the compiler may put where it is called.
const inlined = 100

// arithmetic notes which parameters go into sums, and which results are products, that nothing has rounded.
func (a *Analysis) arithmetic(fn *ssa.Function, t *Traits) {
	size := 0
	for _, b := range fn.Blocks {
		size += len(b.Instrs)
	}
	given, returns := params(fn), results(fn.Signature)
	if size > inlined || !floats(given) && !floats(returns) {
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

// passesOn notes parameters that are given to a function that adds something to them.
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

// adds notes the parameters that a part of a sum is.
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

// Added visits the products among the arguments of a call that the function adds something to.
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
