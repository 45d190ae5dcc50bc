package rules

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

var nanbits = &Rule{
	Name: "nanbits", Short: "the sign and the bits of a float that may be NaN", Duty: "NaN as a key",
	Fix: "use portable.Float64bits, portable.Signbit or portable.Copysign, which take all NaN for one", examine: examineNaNBits, build: true,
}

// examineNaNBits finds code that shows which NaN a float is: processors produce different ones.
func examineNaNBits(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		call, ok := in.(*ssa.Call)
		if !ok {
			return
		}
		pkg, name := called(&call.Call)
		switch pkg {
		case "math":
			nanShown(c, call, name)
		case "encoding/binary":
			nanWritten(c, call, name)
		}
	})
}

// nanShown reports functions of package math that use the sign or the bits of a NaN.
func nanShown(c *Context, call *ssa.Call, name string) {
	i := slices.Index([]string{"Float64bits", "Float32bits", "Signbit", "Copysign"}, name)
	if i < 0 {
		return
	}
	of := call.Call.Args[len(call.Call.Args)-1]
	if notNaNAt(of, call.Block(), 8) {
		return
	}
	what := "the bits"
	if i > 1 {
		what = "the sign"
	}
	f := c.report(call.Pos(), "math.%s shows %s of a NaN, which each processor chooses", name, what)
	f.Fix = Instead("math", name)
	path := portable
	if name == "Float32bits" {
		path = portable32
	}
	editor{c}.replace(f, call.Call.StaticCallee(), call.Pos(), path, name)
}

// nanWritten reports floats that are written with all their bits.
func nanWritten(c *Context, call *ssa.Call, name string) {
	if name != "Write" && name != "Append" && name != "Encode" {
		return
	}
	m, ok := call.Call.Args[len(call.Call.Args)-1].(*ssa.MakeInterface)
	if !ok || !hasFloat(m.X.Type(), nil) || isFloat(m.X.Type()) && notNaNAt(m.X, call.Block(), 8) {
		return
	}
	f := c.report(call.Pos(), "binary.%s writes the bits of floats in %s, and each processor chooses those of a NaN", name, short(m.X.Type()))
	f.Fix = "write portable.Float64bits of each float, which takes all NaN for one; or use canon"
}

// notNaNAt reports whether a float is known not to be NaN in a block: by how it is computed, or by a comparison on
// which the block depends.
func notNaNAt(v ssa.Value, at *ssa.BasicBlock, depth int) bool {
	if depth == 0 {
		return false
	}
	for cond, then := range guards(at) {
		if excludesNaN(cond.Cond, then, v) {
			return true
		}
	}
	on := func(v ssa.Value) bool { return notNaNAt(v, at, depth-1) }
	switch v := v.(type) {
	case *ssa.Const:
		return true // no constant is NaN
	case *ssa.Convert:
		return isInteger(v.X.Type()) || isFloat(v.X.Type()) && on(v.X)
	case *ssa.ChangeType:
		return on(v.X)
	case *ssa.UnOp:
		return v.Op == token.SUB && on(v.X)
	case *ssa.Phi:
		for i, e := range v.Edges {
			if !notNaNAt(e, v.Block().Preds[i], depth-1) {
				return false
			}
		}
		return true
	case *ssa.BinOp:
		return notNaNOf(v, on)
	case *ssa.Call:
		return notNaNCall(v, on)
	}
	return false
}

// notNaNOf reports whether an operation on floats that are not NaN cannot yield NaN. (A constant is not infinite.)
func notNaNOf(v *ssa.BinOp, on func(ssa.Value) bool) bool {
	if finite(v.X) && finite(v.Y) {
		return v.Op != token.QUO || isConst(v.Y)
	}
	switch v.Op {
	case token.ADD, token.SUB:
		return isConst(v.X) && on(v.Y) || isConst(v.Y) && on(v.X)
	case token.MUL:
		return nonzero(v.X) && on(v.Y) || nonzero(v.Y) && on(v.X)
	case token.QUO:
		return nonzero(v.Y) && on(v.X)
	}
	return false
}

// finite reports whether a float is neither NaN nor infinite: a constant, or a converted integer.
func finite(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.Convert:
		return isInteger(v.X.Type())
	}
	return false
}

func nonzero(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value != nil && k.Float64() != 0
}

// notNaNCall reports whether a function cannot return NaN.
func notNaNCall(call *ssa.Call, on func(ssa.Value) bool) bool {
	if b := builtin(&call.Call); b == "min" || b == "max" {
		return !slices.ContainsFunc(call.Call.Args, func(a ssa.Value) bool { return !on(a) })
	}
	pkg, name := called(&call.Call)
	if pkg != "math" && pkg != portable && pkg != portable32 {
		return false
	}
	switch name {
	case "Inf", "FromInt64", "FromUint64":
		return true
	case "Abs", "Floor", "Ceil", "Trunc", "Round", "RoundToEven", "Copysign", "Exp", "Exp2", "Atan", "Tanh", "Cbrt":
		return on(call.Call.Args[0])
	case "Max", "Min", "Hypot", "Atan2":
		return on(call.Call.Args[0]) && on(call.Call.Args[1])
	}
	return false
}

// excludesNaN reports whether a condition implies that a float is not NaN, if it has the value then.
func excludesNaN(cond ssa.Value, then bool, v ssa.Value) bool {
	is := func(x ssa.Value) bool { return x == v || sameValue(x, v) }
	switch cond := cond.(type) {
	case *ssa.UnOp:
		return cond.Op == token.NOT && excludesNaN(cond.X, !then, v)
	case *ssa.BinOp:
		if !is(cond.X) && !is(cond.Y) || changed(v, cond) {
			return false
		}
		switch cond.Op {
		case token.EQL, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return then
		case token.NEQ:
			return !then
		}
	case *ssa.Call:
		pkg, name := called(&cond.Call)
		if (pkg == "math" || pkg == portable || pkg == portable32) && name == "IsNaN" {
			arg := cond.Call.Args[0]
			if conv, ok := arg.(*ssa.Convert); ok && isFloat(conv.X.Type()) && !is(arg) {
				arg = conv.X
			}
			return is(arg) && !then && !changed(v, cond)
		}
	}
	return false
}

// changed reports whether a float is read from memory that the function writes to after a comparison of it.
func changed(v ssa.Value, cmp ssa.Instruction) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || slices.ContainsFunc(cmp.Operands(nil), func(o *ssa.Value) bool { return *o == v }) {
		return false
	}
	for _, b := range load.Parent().Blocks {
		for _, in := range b.Instrs {
			if s, ok := in.(*ssa.Store); ok && sameAddr(s.Addr, load.X) && before(cmp, s) && !before(load, s) {
				return true
			}
		}
	}
	return false
}

var intfloat = &Rule{
	Name: "intfloat", Short: "integers of 64 bits that become a float32", Duty: "Conversions that do not fit",
	Fix: "use math32.FromInt64 or math32.FromUint64 of package portable/math32", examine: examineIntFloat, build: true,
}

// examineIntFloat finds conversions of integers of more than 46 bits to float32. On 32-bit processors the runtime
// converts them in parts (uint64tofloat32 in runtime/vlrt.go of Go 1.26), and sometimes returns a neighbour of the
// nearest float32.
func examineIntFloat(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		conv, ok := in.(*ssa.Convert)
		if !ok || !isInteger(conv.X.Type()) || isPlatformInt(conv.X.Type()) || width(conv.X.Type()) < 64 || !isFloat32(conv.Type()) || fits46(conv.X, 6) {
			return
		}
		f := c.report(c.pos(in), "a %s of more than 46 bits may become another float32 on processors of 32 bits", short(conv.X.Type()))
		name, from := "FromInt64", "int64"
		if !isSigned(conv.X.Type()) {
			name, from = "FromUint64", "uint64"
		}
		f.Fix = "use math32." + name + " of package portable/math32, or a float64"
		editor{c}.convertBy(f, conv, portable32, name, from, "float32")
	})
}

func isFloat32(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Float32
}

// fits46 reports whether an integer is known to have at most 46 bits, from the code of the function.
func fits46(v ssa.Value, depth int) bool {
	const most = 1 << 46
	if depth == 0 {
		return false
	}
	if atMost(v, depth) < anything {
		return true
	}
	switch v := v.(type) {
	case *ssa.Const:
		n, ok := constInt(v)
		return ok && n <= most && n >= -most
	case *ssa.Convert:
		t := v.X.Type()
		return isInteger(t) && (width(t) <= 32 || isPlatformInt(t) || fits46(v.X, depth-1))
	case *ssa.ChangeType:
		return fits46(v.X, depth-1)
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(e ssa.Value) bool { return !fits46(e, depth-1) })
	case *ssa.BinOp:
		x, byX := constInt(v.X)
		y, byY := constInt(v.Y)
		switch v.Op {
		case token.AND:
			return byX && x >= 0 && x <= most || byY && y >= 0 && y <= most || fits46(v.X, depth-1) || fits46(v.Y, depth-1)
		case token.REM:
			return byY && y <= most && y >= -most || fits46(v.X, depth-1)
		case token.SHR:
			return byY && y >= 64-46 || fits46(v.X, depth-1)
		case token.QUO:
			return byY && (y >= 1<<(64-46) || y <= -1<<(64-46)) || fits46(v.X, depth-1)
		}
	}
	return false
}

// convertBy adds edits to a finding about a conversion T(x) that call a function instead: with an argument of type
// from, and a result of type to.
func (c editor) convertBy(f *Finding, conv *ssa.Convert, path, name, from, to string) bool {
	e := c.source().calls[conv.Pos()]
	if e == nil || c.Info == nil || len(e.Args) != 1 || !c.Info.Types[e.Fun].IsType() {
		return false
	}
	given, _ := c.Info.TypeOf(e.Args[0]).(*types.Basic)
	made, _ := c.Info.TypeOf(e.Fun).(*types.Basic)
	opening, closing := "", ""
	if given == nil || given.Name() != from {
		opening, closing = from+"(", ")"
		if c.meaning(from, e.Pos()) != types.Universe.Lookup(from) {
			return false
		}
	}
	arg := e.Args[0]
	start, end := e.Fun.Pos(), e.Fun.End()
	if made == nil || made.Name() != to { // T(F(x))
		start, end = arg.Pos(), arg.Pos()
		closing += ")"
		edits, ok := c.portably(start, end, path, name)
		if ok {
			edits[len(edits)-1].Text += "(" + opening
			f.Edits = append(edits, Edit{arg.End(), arg.End(), closing})
		}
		return ok
	}
	edits, ok := c.portably(start, end, path, name)
	if ok && opening != "" {
		edits = append(edits, Edit{arg.Pos(), arg.Pos(), opening}, Edit{arg.End(), arg.End(), closing})
	}
	if ok {
		f.Edits = edits
	}
	return ok
}
