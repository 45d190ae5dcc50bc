package rules

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// product adds edits to a finding that replace the operators of a product or a quotient by methods: those between two
// Nums, and no others. In x*y/2 that is the first one, since 2 is a count. There are no edits if the result would not
// be a Num, or if the kind of an operand is not known.
func (s scales) product(f *Finding, b *ssa.BinOp) {
	m := mender{scales: s}
	if e := s.c.source().binary(b); e != nil {
		if m.node(b, e) == 1 && !m.lost {
			f.Edits, f.End, f.Caution = m.edits, e.End(), true
		}
		return
	}
	a := s.c.source().assignment(b)
	if a == nil || !repeatable(a.Lhs[0]) || s.operand(b, b.X) != 1 {
		return
	}
	m.operand(b.Y, a.Rhs[0], s.assignedBy(b))
	if name, ok := methods[b.Op]; ok && m.scale == 1 && !m.lost {
		x, y := a.Lhs[0], a.Rhs[0]
		text := types.ExprString(x)
		if !simple(x) {
			text = "(" + text + ")"
		}
		f.Edits = append([]Edit{{a.TokPos, a.TokPos + token.Pos(len(a.Tok.String())), "= " + text + "." + name + "("}}, m.edits...)
		f.Edits = append(f.Edits, Edit{y.End(), y.End(), ")"})
		f.End, f.Caution = a.End(), true
	}
}

// assignedBy returns the scale of the operand of an assignment operation.
func (s scales) assignedBy(b *ssa.BinOp) int {
	if isConst(b.Y) {
		return s.assigned(b)
	}
	return s.of(b.Y)
}

var methods = map[token.Token]string{token.MUL: "Mul", token.QUO: "Div"}

// mender collects the edits of one expression.
type mender struct {
	scales
	edits []Edit
	scale int  // the scale of the operand that was examined last, after the edits
	call  bool // whether that operand is then a call of a method, which needs no parentheses
	lost  bool // the source does not correspond to the compiled form
}

// node edits an operation, and returns its scale afterwards.
func (m *mender) node(b *ssa.BinOp, e *ast.BinaryExpr) int {
	at := len(m.edits)
	m.operand(b.X, e.X, m.scales.operand(b, b.X))
	x, call := m.scale, m.call
	m.call = false
	var behind []Edit
	rest := mender{scales: m.scales}
	rest.operand(b.Y, e.Y, m.scales.operand(b, b.Y))
	y := rest.scale
	m.lost = m.lost || rest.lost
	if x == 1 && y == 1 {
		if !simple(e.X) && !call {
			m.edits = append(m.edits[:at:at], append([]Edit{{e.X.Pos(), e.X.Pos(), "("}}, m.edits[at:]...)...)
			m.edits = append(m.edits, Edit{e.X.End(), e.X.End(), ")"})
		}
		if _, parens := e.Y.(*ast.ParenExpr); parens {
			m.edits = append(m.edits, Edit{e.OpPos, e.OpPos + 1, "." + methods[b.Op]})
		} else {
			m.edits = append(m.edits, Edit{e.OpPos, e.OpPos + 1, "." + methods[b.Op] + "("})
			behind = []Edit{{e.Y.End(), e.Y.End(), ")"}}
		}
		x, y, m.call = 1, 0, true
	} else if b.Op == token.QUO {
		y = -y
	}
	m.edits = append(m.edits, rest.edits...)
	m.edits = append(m.edits, behind...)
	m.scale = x + y
	if m.scale != 0 && m.scale != 1 {
		m.lost = true // for example a count divided by a Num: the meaning is not clear
	}
	return m.scale
}

// operand edits an operand that is itself a product or a quotient, and stores its scale.
func (m *mender) operand(v ssa.Value, e ast.Expr, scale int) {
	m.call = false
	inner, ok := v.(*ssa.BinOp)
	if !ok || methods[inner.Op] == "" {
		if m.scale = scale; scale != 0 && scale != 1 {
			m.lost = true
		}
		return
	}
	x, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || x.OpPos != inner.Pos() {
		if m.scale = scale; scale != 0 && scale != 1 {
			m.lost = true // it is computed elsewhere, and is wrong there
		}
		return
	}
	m.node(inner, x)
}
