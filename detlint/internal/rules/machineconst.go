package rules

import (
	"go/ast"
	"go/token"
	"go/types"
)

// machineConstant returns the name of a constant of the library that describes the machine, or "".
func machineConstant(k *types.Const) string {
	if k.Pkg() == nil {
		return ""
	}
	switch name := k.Pkg().Path() + "." + k.Name(); name {
	case "runtime.GOOS", "runtime.GOARCH", "runtime.Compiler", "strconv.IntSize":
		return name
	case "math/bits.UintSize":
		return "bits.UintSize"
	}
	return ""
}

// widest reports whether a constant is as large as int or uint, which depends on the machine.
func widest(k *types.Const) bool {
	return k.Pkg() != nil && k.Pkg().Path() == "math" && (k.Name() == "MaxInt" || k.Name() == "MinInt" || k.Name() == "MaxUint")
}

// Constants maps the constants of the program that are computed from one that describes the machine to the name of
// that one.
type Constants map[*types.Const]string

// Add examines the constants that a file declares, and reports whether any of them is new.
func (c Constants) Add(file *ast.File, info *types.Info) (more bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		d, ok := n.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			return true
		}
		var values []ast.Expr
		for _, s := range d.Specs {
			v := s.(*ast.ValueSpec)
			if len(v.Values) > 0 {
				values = v.Values
			} // otherwise they are repeated
			for i, name := range v.Names {
				k, ok := info.Defs[name].(*types.Const)
				if !ok || i >= len(values) || c[k] != "" {
					continue
				}
				if of := c.in(values[i], info); of != "" {
					c[k], more = of, true
				}
			}
		}
		return true
	})
	return more
}

// in returns a constant in an expression that describes the machine, or "".
func (c Constants) in(e ast.Expr, info *types.Info) (of string) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if k, ok := info.Uses[n].(*types.Const); ok && of == "" {
				of = c.Of(k)
			}
		case *ast.UnaryExpr:
			if of == "" && allBits(n, info) {
				of = types.ExprString(n)
			}
		}
		return of == ""
	})
	return of
}

// allBits reports whether an expression is ^uint(0), which is used to find out how many bits a machine has.
func allBits(e *ast.UnaryExpr, info *types.Info) bool {
	t := info.Types[e]
	b, ok := t.Type.(*types.Basic)
	return e.Op == token.XOR && t.Value != nil && ok && (b.Kind() == types.Uint || b.Kind() == types.Uintptr)
}

// Of returns the constant describing the machine from which a constant is computed, or "".
func (c Constants) Of(k *types.Const) string {
	if name := machineConstant(k); name != "" {
		return name
	}
	return c[k]
}

// typeOfName returns the type that a constant has where it is used, also with its package as a qualifier; nil if it
// has none there.
func typeOfName(c *Context, id *ast.Ident) types.Type {
	var e ast.Expr = id
	if s, ok := c.source().parent(id).(*ast.SelectorExpr); ok && s.Sel == id {
		e = s
	}
	t := c.Info.TypeOf(e)
	if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		return nil
	}
	return t
}

// examineMachine also finds constants that describe the machine, and those computed from them.
func examineMachine(c *Context) {
	fromLibrary(c)
	otherValues(c)
	c.uses(func(id *ast.Ident, k *types.Const) {
		switch of := c.Constants.Of(k); {
		case c.Variants[k] != "": // already reported
		case of == "":
			if t := typeOfName(c, id); widest(k) && t != nil && isInteger(t) && !isPlatformInt(t) {
				c.report(id.Pos(), "math.%s differs between machines: int has 32 bits on some of them", k.Name())
			}
		case machineConstant(k) != "":
			c.report(id.Pos(), "%s differs between machines", of)
		default:
			c.report(id.Pos(), "the constant %s is made of %s, which differs between machines", k.Name(), of)
		}
	})
	inspectOwn(c, func(n ast.Node) bool {
		u, ok := n.(*ast.UnaryExpr)
		if !ok || !allBits(u, c.Info) {
			return true
		}
		switch p := c.source().parent(u).(type) {
		case *ast.BinaryExpr:
			if p.Op == token.SHR && p.X == ast.Expr(u) {
				c.report(u.Pos(), "%s has as many bits as the machine", types.ExprString(u))
			}
		case *ast.CallExpr:
			if c.Info.Types[p.Fun].IsType() {
				c.report(u.Pos(), "%s has as many bits as the machine", types.ExprString(u))
			}
		}
		return true
	})
	visitSizes(c, func(size *ast.CallExpr, name string, t types.Type) {
		if !stride(c, size) {
			c.report(size.Pos(), "unsafe.%s of %s differs between machines", name, short(t))
		}
	})
}
