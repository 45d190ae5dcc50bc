package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// product rounds the result of an operation that a processor may fuse with the next one. In the language, an explicit
// conversion rounds, which the helper does. A quotient may be compiled to a product, if the divisor is a power of
// two.
func (e *editor) product(x *ast.BinaryExpr) {
	if x.Op != token.MUL && x.Op != token.QUO {
		return
	}
	switch k := kindsOf(e.info.Types[x].Type); {
	case k.complexes && (k.floats || k.integers):
		e.refuse(x, "a product whose type may be complex or not")
	case k.complexes && x.Op == token.MUL:
		at := e.offset(x.OpPos)
		e.edits = append(e.edits, edit{at: at, text: ",", over: len("*")})
		e.wrap(x, "tickback_complex(", ")")
	case k.floats:
		e.wrap(x, "tickback_round(", ")")
	}
}

// assigned rounds the result of x *= y and x /= y.
func (e *editor) assigned(s *ast.AssignStmt) {
	if s.Tok != token.MUL_ASSIGN && s.Tok != token.QUO_ASSIGN {
		return
	}
	x, y := s.Lhs[0], s.Rhs[0]
	k, op := kindsOf(e.info.Types[x].Type), s.Tok.String()[:1]
	switch {
	case k.complexes && (k.floats || k.integers):
		e.refuse(x, "a product whose type may be complex or not")
		return
	case !k.floats && (!k.complexes || s.Tok == token.QUO_ASSIGN):
		return
	}
	of, between := "tickback_round(", " "+op+" ("
	if k.complexes {
		of, between = "tickback_complex(", ", ("
	}
	at := e.offset(s.TokPos)
	switch {
	case pure(x): // it can be evaluated a second time
		text := string(e.text[e.offset(x.Pos()):e.offset(x.End())])
		e.edits = append(e.edits, edit{at: at, text: "= " + of + text + between, over: len("*=")})
		e.edits = append(e.edits, edit{at: e.offset(y.End()), text: "))", after: true})
	case e.addressable(x):
		name := map[string]string{"*": "tickback_multiply(&", "/": "tickback_divide(&"}[op]
		if k.complexes {
			name = "tickback_multiply_complex(&"
		}
		e.edits = append(e.edits, edit{at: e.offset(x.Pos()), text: name}, edit{at: at, text: ",", over: len("*=")}, edit{at: e.offset(y.End()), text: ")", after: true})
	default:
		e.refuse(x, "an element of a map whose key is computed in the statement that multiplies it")
	}
}

// pure reports whether an expression has no side effects and yields the same value when it is evaluated again.
func pure(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return pure(x.X)
	case *ast.SelectorExpr:
		return pure(x.X)
	case *ast.StarExpr:
		return pure(x.X)
	case *ast.IndexExpr:
		return pure(x.X) && pure(x.Index)
	}
	return false
}

// addressable reports whether the address of the assigned expression can be taken.
func (e *editor) addressable(x ast.Expr) bool {
	i, ok := ast.Unparen(x).(*ast.IndexExpr)
	if !ok {
		return true
	}
	_, ok = e.info.Types[i.X].Type.Underlying().(*types.Map)
	return !ok
}

// refuse records the reason why a package cannot be changed, if it is the first one.
func (e *editor) refuse(x ast.Expr, what string) {
	if e.refused == nil {
		e.refused = fmt.Errorf("%s: %s cannot be rounded in the source: write it as x = x * y, with a key that is in a variable", e.fset.Position(x.Pos()), what)
	}
}

// productHelpers are functions that are added to packages with products, for a compiler without a flag to turn off
// fusing.
const productHelpers = `
type tickback_real interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

func tickback_round[F tickback_real](x F) F { return F(x) }

func tickback_multiply[F tickback_real](x *F, y F) { *x = F(*x * y) }

func tickback_divide[F tickback_real](x *F, y F) { *x = F(*x / y) }

func tickback_complex[C ~complex64 | ~complex128](x, y C) C {
	a, b := complex128(x), complex128(y) // as the compiler has it
	return C(complex(float64(real(a)*real(b))-float64(imag(a)*imag(b)), float64(real(a)*imag(b))+float64(imag(a)*real(b))))
}

func tickback_multiply_complex[C ~complex64 | ~complex128](x *C, y C) { *x = tickback_complex(*x, y) }
`
