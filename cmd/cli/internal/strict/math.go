package strict

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// rounded are the functions of package math that are replaced by those of package portable.
var rounded = []string{
	"Acos", "Acosh", "Asin", "Asinh", "Atan", "Atan2", "Atanh", "Cbrt", "Cos", "Cosh", "Exp", "Exp2", "Expm1", "Hypot", "Log", "Log10", "Log1p", "Log2", "Pow", "Sin", "Sinh", "Tan",
	"Tanh",
}

// bodies returns new bodies for functions of package math.
func bodies() map[string]string {
	b := map[string]string{
		// The sign and the payload of a computed NaN depend on the processor: so all NaNs are replaced by the one
		// that NaN returns.
		"Float64bits": "{\n\tif f != f {\n\t\treturn uvnan\n\t}\n\treturn *(*uint64)(unsafe.Pointer(&f))\n}",
		"Float32bits": "{\n\tif f != f {\n\t\treturn 0x7FC00000\n\t}\n\treturn *(*uint32)(unsafe.Pointer(&f))\n}",
		// These may return any NaN, so they need no check for NaN.
		"Abs":      "{ return Float64frombits(strict_Float64bits(x) &^ (1 << 63)) }",
		"Copysign": "{ return Float64frombits(strict_Float64bits(f)&^(1<<63) | Float64bits(sign)&(1<<63)) }",
		"Sincos":   "{ return portable_Sin(x), portable_Cos(x) }",
	}
	for _, f := range rounded {
		b[f] = "{ return portable_" + f + "(x) }"
	}
	b["Atan2"] = "{ return portable_Atan2(y, x) }"
	b["Pow"] = "{ return portable_Pow(x, y) }"
	b["Hypot"] = "{ return portable_Hypot(p, q) }"
	return b
}

// exact are the functions whose results are exact, so that a processor's instruction or assembly may compute them: on
// each architecture, the result is the same. (This would be true of Max and Min, but riscv64's treat a signaling NaN as
// a number.)
var exact = map[string]bool{
	"Ceil": true, "Floor": true, "Frexp": true, "Ldexp": true, "Mod": true, "Modf": true, "Remainder": true, "Sqrt": true, "Trunc": true,
}

// replaced returns the files of package math that have to be replaced, by their names: they call the functions of
// package portable, and only use assembly for functions whose result is exact.
func replaced(dir string) (map[string][]byte, error) {
	names, err := sourcesOf(dir)
	if err != nil {
		return nil, err
	}
	left, out := bodies(), map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		var edits []edit
		at := func(p token.Pos) int { return fset.Position(p).Offset }
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Body == nil {
				continue
			}
			if body, ok := left[fn.Name.Name]; ok {
				if err := named(fn, body); err != nil {
					return nil, err
				}
				edits = append(edits, edit{at(fn.Body.Pos()), at(fn.Body.End()), body})
				delete(left, fn.Name.Name)
				continue
			}
			if choice := assembly(fn); choice != nil && !exact[fn.Name.Name] {
				edits = append(edits, edit{at(choice.Cond.Pos()), at(choice.Cond.End()), "false"})
			}
		}
		if edits != nil {
			out[name] = edited(text, edits)
		}
	}
	for f := range left {
		return nil, fmt.Errorf("the package math of this version of Go has no function %s", f)
	}
	return out, nil
}

// named reports whether the parameters of a function have the names that its new body uses.
func named(fn *ast.FuncDecl, body string) error {
	for _, p := range fn.Type.Params.List {
		for _, n := range p.Names {
			if !strings.Contains(body, n.Name) {
				return fmt.Errorf("the package math of this version of Go has a function %s with other parameters", fn.Name.Name)
			}
		}
	}
	return nil
}

// assembly returns the statement with which a function calls one that may be written in assembly, or nil.
func assembly(fn *ast.FuncDecl) *ast.IfStmt {
	for _, s := range fn.Body.List {
		if i, ok := s.(*ast.IfStmt); ok {
			if c, ok := i.Cond.(*ast.Ident); ok && strings.HasPrefix(c.Name, "haveArch") {
				return i
			}
		}
	}
	return nil
}
