package rules

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var fixedops = &Rule{
	Name: "fixedops", Short: "Go's * and / on fixed.Num where Mul and Div are meant",
	Fix: "use the methods Mul and Div", examine: examineFixedOps,
}

// A Num is a multiple of 1/65536. So Go's product of two is 65536 times too large, and their quotient 65536 times too
// small. To find this, each value gets a scale, which is 1 for a Num and 0 for a plain integer, also for one that was
// converted to Num. Products add scales, and quotients subtract them. A value that is used as a Num must finally have
// a scale of 1.
type scales struct {
	c    *Context
	seen map[ssa.Value]bool
}

func examineFixedOps(c *Context) {
	if ofFixed(c.Fn) {
		return
	}
	s := scales{c, map[ssa.Value]bool{}}
	c.instructions(func(in ssa.Instruction) {
		b, ok := in.(*ssa.BinOp)
		if !ok || !isNum(b.Type()) || b.Op != token.MUL && b.Op != token.QUO || !leaves(b) {
			return
		}
		switch scale := s.of(b); {
		case scale > 1:
			f := c.report(b.Pos(), "the product of two fixed.Num by * is 65,536 times too large")
			s.product(f, b)
		case scale < 1:
			f := c.report(b.Pos(), "the quotient of two fixed.Num by / is 65,536 times too small")
			s.product(f, b)
		}
	})
}

// ofFixed reports whether a function is in package fixed, which consists of such operations.
func ofFixed(fn *ssa.Function) bool {
	p := declared(fn)
	return p != nil && p.Pkg.Path() == tickback+"/fixed"
}

// leaves reports whether a result is used as a Num: not only as a factor of another product or
// quotient, and not only as an integer.
func leaves(b *ssa.BinOp) bool {
	for _, r := range *b.Referrers() {
		switch r := r.(type) {
		case *ssa.BinOp:
			if (r.Op == token.MUL || r.Op == token.QUO) && isNum(r.Type()) {
				continue
			}
		case *ssa.ChangeType:
			if isInteger(r.Type()) && !isNum(r.Type()) {
				continue
			}
		case *ssa.Convert:
			continue
		case *ssa.IndexAddr: // a position in a slice
			if r.Index == ssa.Value(b) {
				continue
			}
		case *ssa.DebugRef:
			continue
		}
		return true
	}
	return false
}

// of returns the scale of a value.
func (s scales) of(v ssa.Value) int {
	switch v := v.(type) {
	case *ssa.ChangeType: // fixed.Num(x) of an int64
		return s.converted(v.X)
	case *ssa.Convert:
		return s.converted(v.X)
	case *ssa.Phi:
		if counts(v) { // 0, 1, 2: not in steps of 1/65536
			return 0
		}
		if s.seen[v] {
			return 1
		}
		s.seen[v] = true
		defer delete(s.seen, v)
		if limit := rangeLimit(v); limit != nil {
			return s.of(limit)
		}
		for _, e := range v.Edges {
			if scale := s.of(e); scale != 1 {
				if _, constant := e.(*ssa.Const); !constant {
					return scale
				}
			}
		}
	case *ssa.BinOp:
		switch v.Op {
		case token.MUL:
			return s.operand(v, v.X) + s.operand(v, v.Y)
		case token.QUO:
			return s.operand(v, v.X) - s.operand(v, v.Y)
		case token.REM, token.SHL, token.SHR:
			return s.operand(v, v.X)
		case token.ADD, token.SUB:
			return max(s.operand(v, v.X), s.operand(v, v.Y))
		}
	}
	return 1
}

// rangeLimit returns n, if a variable is the one in "for i := range n".
func rangeLimit(v *ssa.Phi) ssa.Value {
	if v.Comment != "rangeint.iter" {
		return nil
	}
	for _, r := range *v.Referrers() {
		next, ok := r.(*ssa.BinOp)
		if !ok || next.Op != token.ADD {
			continue
		}
		for _, u := range *next.Referrers() {
			if cmp, ok := u.(*ssa.BinOp); ok && cmp.Op == token.LSS && cmp.X == ssa.Value(next) {
				return cmp.Y
			}
		}
	}
	return nil
}

// converted returns the scale of a conversion: that of the Num, if it was one before.
func (s scales) converted(x ssa.Value) int {
	if isNum(x.Type()) {
		return s.of(x)
	}
	if from, ok := x.(*ssa.ChangeType); ok && isNum(from.X.Type()) {
		return s.of(from.X)
	}
	if from, ok := x.(*ssa.Convert); ok && isNum(from.X.Type()) {
		return s.of(from.X)
	}
	return 0
}

// operand returns the scale of an operand of an operation. Whether a constant is a Num or a plain integer is only
// visible in the source.
func (s scales) operand(b *ssa.BinOp, v ssa.Value) int {
	if _, ok := v.(*ssa.Const); !ok {
		return s.of(v)
	}
	e := s.c.source().binary(b)
	if e == nil {
		return s.assigned(b)
	}
	x := e.X
	if v == b.Y {
		x = e.Y
	}
	return s.constant(x)
}

// assigned returns the scale of the constant in an assignment such as x *= 2.
func (s scales) assigned(b *ssa.BinOp) int {
	if a := s.c.source().assignment(b); a != nil {
		return s.constant(a.Rhs[0])
	}
	return 1
}

// constant returns the scale of a constant expression: 1 if it contains a typed constant.
func (s scales) constant(e ast.Expr) int {
	if s.c.Info == nil {
		return 1
	}
	scale := 0
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			switch obj := s.c.Info.Uses[id].(type) {
			case *types.Const, *types.Var: // a variable that never changes counts as a constant here
				if isNum(obj.Type()) {
					scale = 1
				}
			}
		}
		return true
	})
	return scale
}

// method adds edits to a finding that replace an operation by a method.
func (c *Context) method(f *Finding, b *ssa.BinOp, name string) {
	if e := c.source().binary(b); e != nil {
		f.Edits = []Edit{{e.OpPos, e.OpPos + 1, "." + name + "("}, {e.Y.End(), e.Y.End(), ")"}} // which keeps comments
		if !simple(e.X) {
			f.Edits = append([]Edit{{e.X.Pos(), e.X.Pos(), "("}, {e.X.End(), e.X.End(), ")"}}, f.Edits...)
		}
		f.End, f.Caution = e.End(), true
		return
	}
	if a := c.source().assignment(b); a != nil && repeatable(a.Lhs[0]) {
		x, y := a.Lhs[0], a.Rhs[0]
		text := types.ExprString(x)
		if !simple(x) {
			text = "(" + text + ")"
		}
		f.Edits = []Edit{{a.TokPos, a.TokPos + token.Pos(len(a.Tok.String())), "= " + text + "." + name + "("}, {y.End(), y.End(), ")"}}
		f.End, f.Caution = a.End(), true
	}
}

// repeatable reports whether an expression may be evaluated twice: it contains no calls and receives.
func repeatable(e ast.Expr) bool {
	is := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.FuncLit:
			is = false
		case *ast.UnaryExpr:
			is = is && n.Op != token.ARROW
		}
		return is
	})
	return is
}

// simple reports whether a method can be called on an expression without parentheses.
func simple(e ast.Expr) bool {
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.IndexExpr, *ast.ParenExpr:
		return true
	}
	return false
}
