package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"math/big"
	"strings"
)

// swaps are operators and their replacements. A comparison is changed at its boundary here; its negation is another
// mutant.
var swaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.REM: token.QUO, token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND,
	token.SHL: token.SHR, token.SHR: token.SHL, token.AND_NOT: token.AND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN,
	token.XOR_ASSIGN: token.AND_ASSIGN, token.AND_NOT_ASSIGN: token.AND_ASSIGN,
	token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC,
	token.BREAK: token.CONTINUE, token.CONTINUE: token.BREAK,
}

// operators adds the mutants of one node.
func (f *finder) operators(n ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		f.negate(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			f.negate(n.Cond)
		}
	case *ast.BinaryExpr:
		if n.Op != token.ADD || f.isNumber(n) {
			f.swap(n.OpPos, n.Op)
		}
	case *ast.AssignStmt:
		if n.Tok != token.ADD_ASSIGN || f.isNumber(n.Lhs[0]) {
			f.swap(n.TokPos, n.Tok)
		}
	case *ast.IncDecStmt:
		f.swap(n.TokPos, n.Tok)
	case *ast.BranchStmt:
		if n.Label == nil {
			f.swap(n.TokPos, n.Tok)
		}
	case *ast.BasicLit:
		f.literal(n)
	case *ast.Ident:
		f.boolean(n)
	case *ast.CallExpr:
		f.capacity(n)
	case *ast.ReturnStmt:
		f.returned(n)
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CaseClause:
		f.skipCase(n)
		f.statements(n.Body)
	case *ast.CommClause:
		f.statements(n.Body)
	}
}

func (f *finder) swap(at token.Pos, op token.Token) {
	if to, ok := swaps[op]; ok {
		f.change(at, at+token.Pos(len(op.String())), to.String(), op.String()+" to "+to.String())
	}
}

// negate negates a condition. For a lone == or != the swap does the same.
func (f *finder) negate(cond ast.Expr) {
	if b, ok := cond.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
		return
	}
	f.change(cond.Pos(), cond.End(), "!("+f.text(cond)+")", "negate "+f.short(cond))
}

// literal changes an integer by one, in both directions.
func (f *finder) literal(n *ast.BasicLit) {
	v, ok := new(big.Int).SetString(strings.ReplaceAll(n.Value, "_", ""), 0)
	if n.Kind != token.INT || !ok {
		return
	}
	more := new(big.Int).Add(v, big.NewInt(1)).String()
	f.change(n.Pos(), n.End(), more, n.Value+" to "+more)
	if v.Sign() > 0 {
		less := new(big.Int).Sub(v, big.NewInt(1)).String()
		f.change(n.Pos(), n.End(), less, n.Value+" to "+less)
	}
}

func (f *finder) boolean(n *ast.Ident) {
	if c, ok := f.info.Uses[n].(*types.Const); ok && c.Parent() == types.Universe {
		switch n.Name {
		case "true":
			f.change(n.Pos(), n.End(), "false", "true to false")
		case "false":
			f.change(n.Pos(), n.End(), "true", "false to true")
		}
	}
}

// capacity skips the third argument of make: it changes what a program costs, but not what it does.
func (f *finder) capacity(n *ast.CallExpr) {
	if id, ok := n.Fun.(*ast.Ident); ok && len(n.Args) == 3 {
		if b, ok := f.info.Uses[id].(*types.Builtin); ok && b.Name() == "make" {
			f.skipped[n.Args[2]] = true
		}
	}
}

// returned makes a function return nil instead of an error. The literals beside it are skipped: a value beside an
// error has no meaning, nor does one beside a last result that is false.
func (f *finder) returned(n *ast.ReturnStmt) {
	if len(n.Results) == 0 {
		return
	}
	last := n.Results[len(n.Results)-1]
	failed := f.isError(last) && !f.info.Types[last].IsNil()
	if id, ok := last.(*ast.Ident); !failed && (!ok || id.Name != "false" || len(n.Results) == 1) {
		return
	}
	if failed {
		f.change(last.Pos(), last.End(), "nil", "return nil for "+f.short(last))
	}
	for _, e := range n.Results[:len(n.Results)-1] {
		switch e.(type) {
		case *ast.BasicLit, *ast.Ident:
			f.skipped[e] = true
		}
	}
}

// skipCase removes a case, so that its values fall to the others or the default.
func (f *finder) skipCase(n *ast.CaseClause) {
	if n.List != nil {
		f.change(n.Pos(), n.End(), "", "skip "+strings.TrimSuffix(f.short(n), " ..."))
	}
}

// statements removes calls, assignments, and exits of a block or loop, one at a time.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch n := s.(type) {
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt, *ast.BranchStmt:
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE || f.isBlank(n) {
				continue
			}
		case *ast.ReturnStmt:
			if len(n.Results) > 0 {
				continue
			}
		default:
			continue
		}
		f.change(s.Pos(), s.End(), "", "remove "+f.short(s))
	}
}

// isBlank reports whether only the blank identifier is assigned to, by an expression without a call, as in hints to
// the compiler.
func (f *finder) isBlank(n *ast.AssignStmt) bool {
	for _, e := range n.Lhs {
		if id, ok := e.(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
	}
	calls := false
	ast.Inspect(n, func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr)
		calls = calls || call
		return true
	})
	return !calls
}

// emptyFunction makes a function return at once, with the zero values of its results.
func (f *finder) emptyFunction(fn *ast.FuncDecl) {
	if fn.Body == nil || len(fn.Body.List) == 0 {
		return
	}
	var zeros []string
	if fn.Type.Results != nil {
		for _, field := range fn.Type.Results.List {
			for range max(1, len(field.Names)) {
				zeros = append(zeros, "*new("+f.text(field.Type)+")")
			}
		}
	}
	text := strings.TrimSpace("return " + strings.Join(zeros, ", "))
	if len(fn.Body.List) == 1 && f.isZero(fn.Body.List[0]) {
		return
	}
	brace := fn.Body.Lbrace + 1
	f.change(brace, brace, " "+text+"; ", "return at once")
}

// isZero reports whether a statement only returns zero values anyway.
func (f *finder) isZero(s ast.Stmt) bool {
	r, ok := s.(*ast.ReturnStmt)
	if !ok {
		return false
	}
	for _, e := range r.Results {
		switch f.text(e) {
		case "nil", "false", "0", `""`:
		default:
			return false
		}
	}
	return true
}
