package rewrite

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// edit inserts or replaces text in a file.
type edit struct {
	at    int
	text  string
	over  int  // the number of bytes that it replaces
	after bool // whether it closes what another edit has opened
}

// edited applies these edits to a text. The edits were made from the outermost expression inwards: of those at one
// place, closing ones come first, and the innermost closes first.
func edited(text []byte, edits []edit) []byte {
	var opened, closed []edit
	for _, e := range edits {
		if e.after {
			closed = append(closed, e)
		} else {
			opened = append(opened, e)
		}
	}
	slices.Reverse(closed)
	all := append(closed, opened...)
	slices.SortStableFunc(all, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	var b bytes.Buffer
	at := 0
	for _, e := range all {
		b.Write(text[at:e.at])
		b.WriteString(e.text)
		at = e.at + e.over
	}
	b.Write(text[at:])
	return b.Bytes()
}

// editor finds the places in a file that have to be changed.
type editor struct {
	fset   *token.FileSet
	info   *types.Info
	text   []byte
	narrow bool
	// products is set if products are to be rounded, and runtime if only products and the signs of NaNs are to be
	// changed.
	products, runtime bool
	edits             []edit
	refused           error
	// generic is set if the helper for type parameters is needed, and pairs if the helper for two results is.
	generic, pairs bool
}

func (e *editor) visit(n ast.Node) bool {
	if x, ok := n.(ast.Expr); ok && e.info.Types[x].Value != nil {
		return false // constants are exact
	}
	if e.products {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			e.product(n)
		case *ast.AssignStmt:
			e.assigned(n)
		}
	}
	if e.runtime {
		if f, ok := n.(*ast.FuncDecl); ok && f.Name.Name == "copysign" && f.Body != nil {
			e.copysign(f)
		}
		return true
	}
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return true
	}
	if e.info.Types[call.Fun].IsType() && len(call.Args) == 1 {
		e.conversion(call)
	}
	if e.isCopysign(call.Fun) {
		if len(call.Args) == 2 {
			e.wrap(call.Args[1], "tickback_sign(", ")")
		} else { // both arguments are the results of another function
			e.pairs = true
			e.wrap(call.Fun, "tickback_copysign(", ")")
		}
	}
	return true
}

// isCopysign reports whether a call is one of math.Copysign, which some processors have as an instruction. A function
// variable has the version written in Go, for which there is only one NaN.
func (e *editor) isCopysign(fun ast.Expr) bool {
	var name *ast.Ident
	switch fun := ast.Unparen(fun).(type) {
	case *ast.SelectorExpr:
		name = fun.Sel
	case *ast.Ident: // import . "math"
		name = fun
	}
	f, ok := e.info.Uses[name].(*types.Func)
	return ok && f.FullName() == "math.Copysign"
}

// copysign makes the runtime use one NaN: in quotients of complex numbers it uses the sign of a NaN.
func (e *editor) copysign(f *ast.FuncDecl) {
	params := f.Type.Params.List
	names := params[len(params)-1].Names
	if len(names) == 0 {
		return
	}
	sign := names[len(names)-1].Name
	e.edits = append(e.edits, edit{at: e.offset(f.Body.Lbrace) + 1, text: " if " + sign + " != " + sign + " { " + sign + " = 1 };"})
}

// conversion changes the argument of a conversion, if its result may depend on the processor.
func (e *editor) conversion(call *ast.CallExpr) {
	x := call.Args[0]
	to, from := kindsOf(e.info.Types[call.Fun].Type), kindsOf(e.info.Types[x].Type)
	switch lost, rounded := from.floats && to.integers, e.narrow && from.wide && to.singles; {
	case !lost && !rounded:
	case to.several || from.several:
		e.generic = true
		t := string(e.text[e.offset(call.Fun.Pos()):e.offset(call.Fun.End())])
		e.wrap(x, "tickback_to["+t+"](", ")")
	case lost:
		e.wrap(x, to.helper+"(tickback_f64(", "))")
	case from.unsigned:
		e.wrap(x, "tickback_odd(tickback_n64(", "))")
	default:
		e.wrap(x, "tickback_signed(tickback_i64(", "))")
	}
}

func (e *editor) wrap(x ast.Expr, before, after string) {
	e.edits = append(e.edits, edit{at: e.offset(x.Pos()), text: before}, edit{at: e.offset(x.End()), text: after, after: true})
}

// offset returns the offset of a position in the file itself, ignoring line directives.
func (e *editor) offset(p token.Pos) int { return e.fset.PositionFor(p, false).Offset }

// kinds describes the possible values of a type: those of a type parameter may be of several kinds.
type kinds struct {
	floats, singles, integers bool
	complexes                 bool
	wide, unsigned            bool // 64-bit integers, and unsigned ones
	several                   bool
	helper                    string
}

func kindsOf(t types.Type) (k kinds) {
	k.add(t, map[types.Type]bool{})
	return k
}

func (k *kinds) add(t types.Type, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		k.several = true
		k.add(p.Constraint(), seen)
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		for i := range u.NumEmbeddeds() {
			k.add(u.EmbeddedType(i), seen)
		}
	case *types.Union:
		for i := range u.Len() {
			k.add(u.Term(i).Type(), seen)
		}
	case *types.Basic:
		k.floats = k.floats || u.Info()&types.IsFloat != 0
		k.singles = k.singles || u.Kind() == types.Float32
		k.complexes = k.complexes || u.Info()&types.IsComplex != 0
		k.integers = k.integers || u.Info()&types.IsInteger != 0
		k.wide = k.wide || u.Kind() == types.Int64 || u.Kind() == types.Uint64
		k.unsigned = u.Kind() == types.Uint64
		k.helper = helperFor[u.Kind()]
	}
}
