package reach

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/typekey"
)

const module = "github.com/tickback/tickback"

// given are the types whose fields are functions of a game, and these fields.
var given = map[string][]string{
	module + "/rollback.Game":      {"Init", "Step", "Predict"},
	module + "/rollback.OwnMemory": {"Init", "Step", "Save", "Restore", "Hash", "Equal", "Marshal", "Unmarshal", "Describe", "New", "Predict"},
	module + "/rollback.Slots":     {"Hash", "Marshal"},
	module + "/world.Game":         {"Init", "Step", "Predict", "Check"},
	module + "/predict.Motion":     {"Step", "Copy"},
	module + ".Options":            {"Start"},
	module + ".ServerOptions":      {"Start", "Sight", "Check", "Carry", "StandIn"},
	module + ".ClientOptions":      {"Start"},
}

// Mark is the comment that makes a function a root.
const Mark = "//tickback:deterministic"

// roots finds functions that are given to a game in a function.
func (s *summariser) roots(fn *ssa.Function) (list []Root) {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			st, ok := in.(*ssa.Store)
			if !ok {
				continue
			}
			at, ok := st.Addr.(*ssa.FieldAddr)
			if !ok {
				continue
			}
			n, ok := types.Unalias(at.X.Type().Underlying().(*types.Pointer).Elem()).(*types.Named)
			if !ok || n.Obj().Pkg() == nil {
				continue
			}
			role := fieldName(at.X.Type(), at.Field)
			for _, f := range given[n.Obj().Pkg().Path()+"."+n.Obj().Name()] {
				if f == role {
					list = append(list, s.root(n, role, st)...)
				}
			}
		}
	}
	return list
}

// root makes roots of a value that is given to a field.
func (s *summariser) root(n *types.Named, role string, st *ssa.Store) (list []Root) {
	args, full := []string{}, []string{}
	state := ""
	for i := range n.TypeArgs().Len() {
		t := n.TypeArgs().At(i)
		args = append(args, types.TypeString(t, func(p *types.Package) string { return p.Name() }))
		full = append(full, typekey.Of(s.Fset, t))
		if named, ok := types.Unalias(t).(*types.Named); ok && i == 0 {
			state = typekey.Of(s.Fset, named)
		}
	}
	game := n.Obj().Pkg().Name() + "." + n.Obj().Name() + "[" + strings.Join(args, ", ") + "]"
	pos := st.Pos()
	if !pos.IsValid() {
		pos = st.Val.Pos()
	}
	if !pos.IsValid() {
		pos = st.Parent().Pos()
	}
	group := typekey.Of(s.Fset, n)
	if strings.Contains(group, "/rollback.") || strings.Contains(group, "/world.") || strings.Contains(group, ".ServerOptions") {
		group = "game " + strings.Join(full, ", ")
	}
	calls := s.values(st.Val, 0)
	if role == "Start" { // what it returns makes state 0
		calls = append(calls, s.made(st.Val)...)
	}
	for _, c := range calls {
		c.At = s.Fset.Position(pos)
		list = append(list, Root{Group: group, Role: role, Game: game, State: state, Call: c})
	}
	return list
}

// made says what functions a function value returns first.
func (s *summariser) made(v ssa.Value) []Call {
	switch v := v.(type) {
	case *ssa.Function:
		return s.returned(v, 0, 0)
	case *ssa.MakeClosure:
		return s.returned(v.Fn.(*ssa.Function), 0, 0)
	case *ssa.ChangeType:
		return s.made(v.X)
	}
	return nil
}

// values says what a function value may be.
func (s *summariser) values(v ssa.Value, depth int) []Call {
	switch v := v.(type) {
	case *ssa.Const: // nil
		return nil
	case *ssa.Function:
		s.created(v)
		return []Call{{Kind: Static, Target: IDOf(v)}}
	case *ssa.MakeClosure:
		s.created(v.Fn.(*ssa.Function))
		return []Call{{Kind: Static, Target: IDOf(v.Fn.(*ssa.Function))}}
	case *ssa.ChangeType:
		return s.values(v.X, depth)
	case *ssa.Phi:
		var list []Call
		for _, e := range v.Edges {
			list = append(list, s.values(e, depth+1)...)
		}
		if depth < 4 {
			return list
		}
	case *ssa.UnOp: // of a variable of the function: what was stored there
		if a, ok := v.X.(*ssa.Alloc); ok && depth < 4 {
			var list []Call
			for _, r := range *a.Referrers() {
				if st, ok := r.(*ssa.Store); ok && st.Addr == a {
					list = append(list, s.values(st.Val, depth+1)...)
				}
			}
			return list
		}
	case *ssa.Call:
		if fn := v.Call.StaticCallee(); fn != nil && len(fn.Blocks) > 0 && depth < 4 {
			return s.returned(fn, 0, depth)
		}
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok && depth < 4 {
			if fn := call.Call.StaticCallee(); fn != nil && len(fn.Blocks) > 0 {
				return s.returned(fn, v.Index, depth)
			}
		}
	}
	sig, ok := v.Type().Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	return []Call{{Kind: Dynamic, Target: s.signature(sig), Open: true}}
}

// returned says what functions a function returns.
func (s *summariser) returned(fn *ssa.Function, i, depth int) (list []Call) {
	for _, b := range fn.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && i < len(r.Results) {
			list = append(list, s.values(r.Results[i], depth+1)...)
		}
	}
	return list
}

// marked finds functions that carry the mark.
func (s *summariser) marked(fn *ssa.Function) (Root, bool) {
	d, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || d.Doc == nil || fn.Parent() != nil {
		return Root{}, false
	}
	for _, c := range d.Doc.List {
		if c.Text == Mark || strings.HasPrefix(c.Text, Mark+" ") {
			return Root{
				Group: "mark " + IDOf(fn), Role: "Mark", Game: nameFor(fn),
				Call: Call{Kind: Static, Target: IDOf(fn), At: s.Fset.Position(fn.Pos())},
			}, true
		}
	}
	return Root{}, false
}
