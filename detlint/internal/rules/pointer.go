package rules

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// An unsafe.Pointer that is only stored and passed on is a pointer like any other: a store of components reaches its
// columns through one. It causes divergence where memory is read through it as another type, and where it becomes a
// number. Reads through a pointer from an unknown place are not followed, and rule unproved reports that.

// pointers follows an unsafe.Pointer through a function, and those that it is passed to.
type pointers struct {
	elem types.Type // the type of what it points to; nil if that is not known
	seen map[ssa.Value]bool
}

// remain reports whether an unsafe.Pointer is only converted to a pointer to the type that it points to.
func remain(in *ssa.Convert) bool {
	p := &pointers{seen: map[ssa.Value]bool{}}
	switch from := in.X.Type().Underlying().(type) {
	case *types.Pointer:
		p.elem = from.Elem()
	case *types.Basic:
		if call, ok := in.X.(*ssa.Call); !ok || !keptAddress(call) {
			return false // of a number
		}
	default:
		return false
	}
	return p.remain(in)
}

// keptAddress reports whether a call gets an address by reflection, which is only used as a pointer.
func keptAddress(in ssa.CallInstruction) bool {
	call, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	if pkg, name := called(&call.Call); pkg != "reflect" || name != "Value.UnsafeAddr" && name != "Value.Pointer" {
		return false
	}
	for _, r := range *call.Referrers() {
		conv, ok := r.(*ssa.Convert)
		if _, debug := r.(*ssa.DebugRef); !debug && (!ok || !isUnsafe(conv.Type())) {
			return false
		}
	}
	return true
}

func (p *pointers) remain(v ssa.Value) bool {
	if p.seen[v] {
		return true
	}
	p.seen[v] = true
	for _, r := range *v.Referrers() {
		if !p.use(r, v) {
			return false
		}
	}
	return true
}

// use reports whether an instruction uses a pointer only as such.
func (p *pointers) use(in ssa.Instruction, v ssa.Value) bool {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.Return:
		return true
	case *ssa.BinOp:
		return !ordered(in.Op)
	case *ssa.Store:
		return in.Val == v
	case *ssa.Phi:
		return p.remain(in)
	case *ssa.Convert:
		to, ok := in.Type().Underlying().(*types.Pointer)
		if !ok {
			return isUnsafe(in.Type())
		}
		return p.elem == nil || types.Identical(to.Elem().Underlying(), p.elem.Underlying()) || copied(in)
	case *ssa.Call:
		return p.given(in, v)
	}
	return false
}

// given reports whether the function that a pointer is passed to uses it only as such.
func (p *pointers) given(call *ssa.Call, v ssa.Value) bool {
	if builtin(&call.Call) == "Add" { // of package unsafe: another element of the same slice, or it is read as another type
		return p.remain(call)
	}
	fn := call.Call.StaticCallee()
	if fn == nil {
		return false
	}
	if pkg, name := nameOf(fn); pkg == "reflect" && name == "NewAt" {
		return true // rule unproved reports it
	}
	if len(fn.Blocks) == 0 {
		return false
	}
	for i, x := range call.Call.Args {
		if x == v && (i >= len(fn.Params) || !p.remain(fn.Params[i])) {
			return false
		}
	}
	return true
}

// copied reports whether a view of memory as bytes is only copied to another place, or from one, where it has its
// original type again.
func copied(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Slice:
			if r.X != v || !copied(r) {
				return false
			}
		case *ssa.Call:
			if builtin(&r.Call) != "copy" || !viewed(r.Call.Args[0]) || !viewed(r.Call.Args[1]) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// viewed reports whether a slice is memory that is viewed through an unsafe.Pointer.
func viewed(v ssa.Value) bool {
	for {
		s, ok := v.(*ssa.Slice)
		if !ok {
			break
		}
		v = s.X
	}
	conv, ok := v.(*ssa.Convert)
	return ok && isUnsafe(conv.X.Type())
}

// strideOnly reports whether a size in memory is only used, by unsafe.Add, to get from one element to another.
func strideOnly(v ssa.Value, depth int) bool {
	refs := v.Referrers()
	if refs == nil || depth == 0 {
		return false
	}
	for _, r := range *refs {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Convert:
			if !isInteger(r.Type()) || !strideOnly(r, depth-1) {
				return false
			}
		case *ssa.BinOp:
			if ordered(r.Op) || !isInteger(r.Type()) || !strideOnly(r, depth-1) {
				return false
			}
		case *ssa.Call:
			if builtin(&r.Call) != "Add" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// strides limits how deep arithmetic is followed from a size to the place where it is used.
const strides = 8

// stride reports whether the size of a type, from a call of package unsafe, is only used to get from one element to
// another.
func stride(c *Context, size *ast.CallExpr) bool {
	var e ast.Node = size
	for {
		switch p := c.source().parent(e).(type) {
		case *ast.BinaryExpr:
			if p.Op != token.MUL && p.Op != token.ADD && p.Op != token.SUB {
				return false
			}
			e = p
		case *ast.CallExpr:
			if c.Info.Types[p.Fun].IsType() {
				e = p
				continue
			}
			sel, ok := ast.Unparen(p.Fun).(*ast.SelectorExpr)
			if !ok {
				return false
			}
			b, ok := c.Info.Uses[sel.Sel].(*types.Builtin)
			return ok && b.Name() == "Add"
		case *ast.ValueSpec:
			return p == c.Syntax && strideVariable(c, p)
		default:
			return false
		}
	}
}

// strideVariable reports whether the only variable of a declaration, a package variable, is never set again, and is
// only used to get from one element to another.
func strideVariable(c *Context, spec *ast.ValueSpec) bool {
	if len(spec.Names) != 1 || len(spec.Values) != 1 || spec.Names[0].IsExported() || c.Fn.Pkg == nil {
		return false
	}
	g := c.Fn.Pkg.Var(spec.Names[0].Name)
	if g == nil {
		return false
	}
	loads, ok := c.Flow.Loads(g)
	if !ok {
		return false
	}
	for _, load := range loads {
		if !strideOnly(load, strides) {
			return false
		}
	}
	return true
}
