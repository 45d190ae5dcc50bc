package rules

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

const tickback = "github.com/tickback/tickback"

// declared returns the package in which a function is declared, also for an instance or a literal, or nil.
func declared(fn *ssa.Function) *ssa.Package {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.Package()
}

// nameOf returns the package of a function and its name there; a method is named with its type. A wrapper or an
// instance has the name of the original function.
func nameOf(fn *ssa.Function) (pkg, name string) {
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		if o := fn.Origin(); o != nil {
			obj, ok = o.Object().(*types.Func)
		}
		if !ok {
			return "", fn.Name()
		}
	}
	return FuncName(obj)
}

// FuncName returns the package of a function and its name there; a method is named with its type.
func FuncName(obj *types.Func) (pkg, name string) {
	name = obj.Name()
	if obj.Pkg() != nil {
		pkg = obj.Pkg().Path()
	}
	if recv := obj.Signature().Recv(); recv != nil {
		if n := named(recv.Type()); n != nil {
			name = n.Obj().Name() + "." + name
		}
	}
	return pkg, name
}

// NameOf does what nameOf does, for other packages.
func NameOf(fn *ssa.Function) (pkg, name string) { return nameOf(fn) }

// named returns the named type of a type or of what it points to.
func named(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// isNamed reports whether a type, or what it points to, is the one with this name.
func isNamed(t types.Type, pkg, name string) bool {
	n := named(t)
	return n != nil && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == pkg
}

// isNum reports whether a type is fixed.Num.
func isNum(t types.Type) bool {
	if _, pointer := types.Unalias(t).(*types.Pointer); pointer {
		return false
	}
	return isNamed(t, tickback+"/fixed", "Num")
}

func isFloat(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// isPlatformInt reports whether the width of a type depends on the machine.
func isPlatformInt(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Int || b.Kind() == types.Uint || b.Kind() == types.Uintptr)
}

// builtin returns the name of the built-in function that is called, or "".
func builtin(call *ssa.CallCommon) string {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return b.Name()
	}
	return ""
}

// called returns the package and name of the callee of a call, if it is known.
func called(call *ssa.CallCommon) (pkg, name string) {
	if call.IsInvoke() {
		return FuncName(call.Method)
	}
	if fn := call.StaticCallee(); fn != nil {
		return nameOf(fn)
	}
	return "", ""
}

// short returns a type as it is written in its package.
func short(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// plural joins a list with commas and "and", as in "a, b and c".
func plural(list []string) string {
	switch n := len(list); n {
	case 0:
		return ""
	case 1:
		return list[0]
	default:
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
}
