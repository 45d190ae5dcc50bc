package rules

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// The packages with the functions of package math that have the same results everywhere.
const (
	portable   = tickback + "/portable"
	portable32 = portable + "/math32"
)

// inPortable has the functions of package math that a step may not call and that package portable provides. A test
// compares the list with the package.
var inPortable = strings.Fields("Acos Acosh Asin Asinh Atan Atan2 Atanh Cbrt Copysign Cos Cosh Exp Exp2 Expm1 Float64bits Hypot " +
	"Log Log10 Log1p Log2 Pow Pow10 Signbit Sin Sincos Sinh Tan Tanh")

// Instead returns what to do instead of calling a function of package math, or "" if the text of the rule already
// says that.
func Instead(pkg, name string) string {
	switch {
	case pkg == "math" && name == "Float32bits":
		return "use math32.Float32bits, of package portable/math32, which takes all NaN for one; or build with --strict, for a game with Floats: tickback.Strict"
	case pkg == "math" && portableHas(name):
		return "use portable." + name + ", which has the same result everywhere; or build with --strict, for a game with Floats: tickback.Strict"
	case pkg == "math/cmplx":
		return "work with its parts, by functions of package portable; or build with --strict, for a game with Floats: tickback.Strict"
	case pkg == "math":
		return "portable has none: compute it by functions that it has, such as portable.Exp; or build with --strict, for a game with Floats: tickback.Strict"
	}
	return ""
}

func portableHas(name string) bool {
	for _, n := range inPortable {
		if n == name {
			return true
		}
	}
	return false
}

// replace adds edits to a finding that call a function of package portable, or of math32, instead of one of package
// math.
func (c editor) replace(f *Finding, fn *ssa.Function, at token.Pos, path, name string) {
	if c.Info == nil || fn.Object() == nil {
		return
	}
	if s := c.mention(fn.Object(), at); s != nil {
		if edits, ok := c.portably(s.Pos(), s.End(), path, name); ok {
			f.Edits, f.Caution = edits, true
		}
	}
}

// mention returns where the source names a function: in the call at a position, or, if there is no call and the
// function is named only once, where it is used as a value.
func (c editor) mention(obj types.Object, at token.Pos) *ast.SelectorExpr {
	is := func(e ast.Expr) *ast.SelectorExpr {
		if s, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && c.Info.Uses[s.Sel] == obj {
			return s
		}
		return nil
	}
	if call := c.source().calls[at]; call != nil {
		if s := is(call.Fun); s != nil {
			return s
		}
	}
	var found []*ast.SelectorExpr
	if c.syntax() == nil {
		return nil
	}
	ast.Inspect(c.syntax(), func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			if s := is(e); s != nil {
				if call, called := c.source().parent(s).(*ast.CallExpr); !called || ast.Unparen(call.Fun) != ast.Expr(s) {
					found = append(found, s)
				}
				return false
			}
		}
		return true
	})
	if len(found) == 1 {
		return found[0]
	}
	return nil
}

// portably returns edits that insert the name of a function of another package, with an import of that package if the
// file has none.
func (c editor) portably(start, end token.Pos, path, name string) ([]Edit, bool) {
	if as := c.importedAs(path, start); as != "" {
		return []Edit{{start, end, as + "." + name}}, true
	}
	file := c.file(start)
	short := path[strings.LastIndexByte(path, '/')+1:]
	if file == nil || c.meaning(short, start) != nil {
		return nil, false
	}
	at, ok := importing(file, path)
	return []Edit{at, {start, end, short + "." + name}}, ok
}

// importing returns an edit that adds an import to a file, after its other imports.
func importing(file *ast.File, path string) (Edit, bool) {
	for i := len(file.Decls) - 1; i >= 0; i-- {
		d, ok := file.Decls[i].(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT || len(d.Specs) == 0 {
			continue
		}
		last := d.Specs[len(d.Specs)-1].(*ast.ImportSpec)
		end := last.End()
		if last.Comment != nil {
			end = last.Comment.End()
		}
		if !d.Lparen.IsValid() {
			return Edit{end, end, "\nimport " + strconv.Quote(path)}, true
		}
		gap := "\n\t"
		if other, err := strconv.Unquote(last.Path.Value); err == nil && !strings.Contains(strings.Split(other, "/")[0], ".") {
			gap = "\n\n\t" // imports of the library form a separate group
		}
		return Edit{end, end, gap + strconv.Quote(path)}, true
	}
	return Edit{}, false
}
