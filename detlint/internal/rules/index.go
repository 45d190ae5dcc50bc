package rules

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// index finds the syntax of a function's operations, which only have positions.
type index struct {
	binaries map[token.Pos]*ast.BinaryExpr // by the position of their operator
	calls    map[token.Pos]*ast.CallExpr   // by the position of their parenthesis
	assigns  map[token.Pos]*ast.AssignStmt // such as x *= 2, by the positions of their operator and their beginning
	parents  map[ast.Node]ast.Node
}

// indexOf indexes the source of a function; the index of nil is empty.
func indexOf(syntax ast.Node) *index {
	x := &index{map[token.Pos]*ast.BinaryExpr{}, map[token.Pos]*ast.CallExpr{}, map[token.Pos]*ast.AssignStmt{}, map[ast.Node]ast.Node{}}
	if syntax == nil {
		return x
	}
	var stack []ast.Node
	ast.Inspect(syntax, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if len(stack) > 0 {
			x.parents[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.BinaryExpr:
			x.binaries[n.OpPos] = n
		case *ast.CallExpr:
			x.calls[n.Lparen] = n
		case *ast.AssignStmt:
			if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
				x.assigns[n.TokPos], x.assigns[n.Pos()] = n, n
			}
		}
		return true
	})
	return x
}

// binary returns the expression of a binary operation, if its source is known and it is not an assignment.
func (x *index) binary(b *ssa.BinOp) *ast.BinaryExpr { return x.binaries[b.Pos()] }

// assignment returns the assignment of an operation such as x *= 2, if its source is known.
func (x *index) assignment(b *ssa.BinOp) *ast.AssignStmt { return x.assigns[b.Pos()] }

// call returns the expression of a call, if its source is known.
func (x *index) call(c *ssa.Call) *ast.CallExpr { return x.calls[c.Pos()] }

// parent returns the syntax around a node, without parentheses.
func (x *index) parent(n ast.Node) ast.Node {
	p := x.parents[n]
	for {
		paren, ok := p.(*ast.ParenExpr)
		if !ok {
			return p
		}
		p = x.parents[paren]
	}
}
