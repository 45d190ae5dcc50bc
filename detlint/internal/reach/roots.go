package reach

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/typekey"
)

const module = "github.com/tickback/tickback"

// given has the types whose fields are functions of a game, and these fields.
var given = map[string][]string{
	module + "/rollback.Game":      {"Init", "Step", "Predict"},
	module + "/rollback.OwnMemory": {"Init", "Step", "Save", "Restore", "Hash", "Equal", "Marshal", "Unmarshal", "Describe", "New", "Predict"},
	module + "/rollback.Slots":     {"Hash", "Marshal"},
	module + "/world.Game":         {"Init", "Step", "Predict", "Check"},
	module + "/predict.Motion":     {"Step"},
	module + ".Options":            {"Start"},
	module + ".ServerOptions":      {"Start", "Sight", "Check", "Carry", "StandIn"},
	module + ".ClientOptions":      {"Start"},
}

// Mark is the comment that makes a function a root.
const Mark = "//tickback:deterministic"

// roots finds functions that are assigned to games in a function.
func (s *summariser) roots(fn *ssa.Function) (list []Root) {
	set := s.floats(fn)
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
			g, ok := ownerOf(at)
			if !ok {
				continue
			}
			role := fieldName(at.X.Type(), at.Field)
			if slices.Contains(given[g.pkg+"."+g.name], role) {
				for _, r := range s.root(g, role, st) {
					r.Floats = set.of(at.X)
					list = append(list, r)
				}
			}
		}
	}
	return append(list, set.elsewhere()...)
}

// gameType is the type of a game, a motion or options: one of given, or a type of the user's own with the same
// underlying type.
type gameType struct {
	pkg, name string // the name of the type in given
	args      []types.Type
}

// ownerOf returns the type that declares a field. A user's own type that is declared as a game has the same fields,
// and nothing else identifies it.
func ownerOf(at *ssa.FieldAddr) (g gameType, ok bool) {
	t := at.X.Type().Underlying().(*types.Pointer).Elem()
	if n, is := types.Unalias(t).(*types.Named); is && n.Obj().Pkg() != nil && given[n.Obj().Pkg().Path()+"."+n.Obj().Name()] != nil {
		g.pkg, g.name = n.Obj().Pkg().Path(), n.Obj().Name()
		for i := range n.TypeArgs().Len() {
			g.args = append(g.args, n.TypeArgs().At(i))
		}
		return g, true
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return g, false
	}
	field := st.Field(at.Field)
	if field.Pkg() == nil {
		return g, false
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		own, isOf := strings.CutPrefix(name, field.Pkg().Path()+".")
		if !isOf || strings.ContainsAny(own, "./") {
			continue
		}
		obj, isType := field.Pkg().Scope().Lookup(own).(*types.TypeName)
		if !isType {
			continue
		}
		n, isNamed := obj.Type().(*types.Named)
		if !isNamed {
			continue
		}
		declared, isStruct := n.Underlying().(*types.Struct)
		if isStruct && at.Field < declared.NumFields() && declared.Field(at.Field).Origin() == field.Origin() {
			g.pkg, g.name = field.Pkg().Path(), own
			g.args = inferred(n, declared, st)
			return g, true
		}
	}
	return g, false
}

// inferred returns the type arguments with which the fields of a generic struct are equal to those of another one.
func inferred(n *types.Named, declared, st *types.Struct) []types.Type {
	found := make([]types.Type, n.TypeParams().Len())
	for i := range declared.NumFields() {
		infer(declared.Field(i).Type(), st.Field(i).Type(), n.TypeParams(), found)
	}
	return slices.DeleteFunc(found, func(t types.Type) bool { return t == nil })
}

// infer records what type parameters stand for.
func infer(param, arg types.Type, params *types.TypeParamList, found []types.Type) {
	arg = types.Unalias(arg)
	switch p := types.Unalias(param).(type) {
	case *types.TypeParam:
		for i := range params.Len() {
			if params.At(i) == p {
				found[i] = arg
			}
		}
	case *types.Pointer:
		if a, ok := arg.(*types.Pointer); ok {
			infer(p.Elem(), a.Elem(), params, found)
		}
	case *types.Slice:
		if a, ok := arg.(*types.Slice); ok {
			infer(p.Elem(), a.Elem(), params, found)
		}
	case *types.Named:
		if a, ok := arg.(*types.Named); ok && a.TypeArgs().Len() == p.TypeArgs().Len() {
			for i := range p.TypeArgs().Len() {
				infer(p.TypeArgs().At(i), a.TypeArgs().At(i), params, found)
			}
		}
	case *types.Signature:
		if a, ok := arg.(*types.Signature); ok && a.Params().Len() == p.Params().Len() {
			for i := range p.Params().Len() {
				infer(p.Params().At(i).Type(), a.Params().At(i).Type(), params, found)
			}
		}
	}
}

// root makes roots of a value that is assigned to a field.
func (s *summariser) root(g gameType, role string, st *ssa.Store) (list []Root) {
	args, full := []string{}, s.typesOf(g)
	state := ""
	for i, t := range g.args {
		args = append(args, types.TypeString(t, func(p *types.Package) string { return p.Name() }))
		if named, ok := types.Unalias(t).(*types.Named); ok && i == 0 {
			state = typekey.Of(s.Fset, named)
		}
	}
	game := g.pkg[strings.LastIndexByte(g.pkg, '/')+1:] + "." + g.name + "[" + strings.Join(args, ", ") + "]"
	pos := st.Pos()
	if !pos.IsValid() {
		pos = st.Val.Pos()
	}
	if !pos.IsValid() {
		pos = st.Parent().Pos()
	}
	group := s.groupOf(g)
	calls := s.values(st.Val, 0)
	if role == "Start" { // its result makes state 0
		calls = append(calls, s.made(st.Val)...)
	}
	for _, c := range calls {
		c.At = s.Fset.Position(pos)
		list = append(list, Root{Group: group, Role: role, Game: game, State: state, Types: full, Call: c})
	}
	return list
}

// typesOf returns the type arguments of a game.
func (s *summariser) typesOf(g gameType) (list []string) {
	for _, t := range g.args {
		list = append(list, typekey.Of(s.Fset, t))
	}
	return list
}

// groupOf returns the name of the group with which a game is linked.
func (s *summariser) groupOf(g gameType) string {
	full := s.typesOf(g)
	if strings.HasSuffix(g.pkg, "/rollback") || strings.HasSuffix(g.pkg, "/world") || g.name == "ServerOptions" {
		return "game " + strings.Join(full, ", ")
	}
	return g.pkg + "." + g.name + "[" + strings.Join(full, ",") + "]"
}

// made returns the functions that a function value returns as its first result.
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

// values returns the functions that a function value may be.
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
	return []Call{{Kind: Dynamic, Target: s.signature(sig)}}
}

// returned returns the functions that a function returns.
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
