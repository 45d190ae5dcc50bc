package reach

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
	"github.com/tickback/tickback/detlint/internal/std"
	"github.com/tickback/tickback/detlint/internal/typekey"
)

// Fields are the fields of named structs that a function accesses, by the full name of the type. The field "*" stands
// for all of them.
type Fields struct {
	Read, Written map[string][]string
	Lent          map[string][]string // whose address is returned: callers may write there
	Through       map[string][]string // fields that lead to what is written
	All           bool                // something traverses all that a value leads to, as reflection does
}

// lengthOf is the prefix of a field if only its length is read.
const lengthOf = "len "

func (f *Fields) note(to *map[string][]string, t types.Type, name string, s *summariser) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	label := "struct"
	if n, ok := types.Unalias(t).(*types.Named); ok {
		if n.Obj().Pkg() == nil {
			return
		}
		label = n.Obj().Pkg().Name() + "." + n.Obj().Name()
	}
	key := typekey.Of(s.Fset, t)
	s.structure(key, label, st)
	if *to == nil {
		*to = map[string][]string{}
	}
	if list := (*to)[key]; !slices.Contains(list, name) {
		(*to)[key] = append(list, name)
	}
	if name == "*" {
		for i := range st.NumFields() {
			f.nested(to, st.Field(i).Type(), s)
		}
	}
}

// deep records all structs that a value refers to, for code that traverses or copies it.
func (f *Fields) deep(to *map[string][]string, t types.Type, s *summariser, seen []types.Type) {
	if slices.Contains(seen, t) {
		return
	}
	seen = append(seen, t)
	switch u := t.Underlying().(type) {
	case *types.Struct:
		f.note(to, t, "*", s)
		for i := range u.NumFields() {
			f.deep(to, u.Field(i).Type(), s, seen)
		}
	case *types.Array:
		f.deep(to, u.Elem(), s, seen)
	case *types.Slice:
		f.deep(to, u.Elem(), s, seen)
	case *types.Pointer:
		f.deep(to, u.Elem(), s, seen)
	case *types.Map:
		f.deep(to, u.Key(), s, seen)
		f.deep(to, u.Elem(), s, seen)
	}
}

// nested records structs inside one that is accessed as a whole.
func (f *Fields) nested(to *map[string][]string, t types.Type, s *summariser) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		f.note(to, t, "*", s)
	case *types.Array:
		f.nested(to, u.Elem(), s)
	}
}

// instruction records the accesses of an instruction.
func (f *Fields) instruction(in ssa.Instruction, s *summariser) {
	switch in := in.(type) {
	case *ssa.FieldAddr:
		a := access{s: s}
		a.address(in, 0)
		if name := fieldName(in.X.Type(), in.Field); a.read {
			f.note(&f.Read, in.X.Type(), name, s)
			if a.written {
				f.note(&f.Written, in.X.Type(), name, s)
			}
		} else {
			if a.length {
				f.note(&f.Read, in.X.Type(), lengthOf+name, s)
			}
			if a.written {
				f.note(&f.Written, in.X.Type(), name, s)
			}
		}
		if a.through {
			f.note(&f.Through, in.X.Type(), fieldName(in.X.Type(), in.Field), s)
		}
		if a.lent {
			f.note(&f.Lent, in.X.Type(), fieldName(in.X.Type(), in.Field), s)
		}
	case *ssa.Field:
		f.note(&f.Read, in.X.Type(), fieldName(in.X.Type(), in.Field), s)
		a := access{s: s}
		if a.value(in); a.through {
			f.note(&f.Through, in.X.Type(), fieldName(in.X.Type(), in.Field), s)
		}
	case *ssa.UnOp:
		if _, ok := in.Type().Underlying().(*types.Struct); ok && !byField(in) && !literal(in) {
			f.note(&f.Read, in.Type(), "*", s)
		}
		f.nestedLoad(in, s)
	case *ssa.Store:
		if !literal(in.Val) && !own(in.Addr) { // the fields of a literal are recorded there
			f.nested(&f.Written, in.Val.Type(), s)
		}
	case *ssa.MakeInterface:
		if asJSON(in) {
			f.exported(in.X.Type(), s, nil)
		} else {
			f.walked(in.X.Type(), s)
		}
	case *ssa.Call:
		f.handed(&in.Call, s)
	}
}

// walked records a value that is converted to an interface, where reflection may traverse it.
func (f *Fields) walked(t types.Type, s *summariser) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		n, ok := types.Unalias(p.Elem()).(*types.Named)
		if _, isStruct := p.Elem().Underlying().(*types.Struct); isStruct && !(ok && n.Obj().Pkg() != nil && std.Known(n.Obj().Pkg().Path())) {
			f.All = true
		}
		return
	}
	f.deep(&f.Read, t, s, nil)
}

// handed records slices that are copied or compared as a whole: by a built-in function, or by one of the library.
func (f *Fields) handed(call *ssa.CallCommon, s *summariser) {
	b, ok := call.Value.(*ssa.Builtin)
	if fn := call.StaticCallee(); !ok && (fn == nil || len(fn.Blocks) > 0 || s.stored(fn)) || ok && b.Name() != "append" && b.Name() != "copy" {
		return
	}
	if ok && len(call.Args) > 1 && len(flow.Variadic(call.Args[1])) > 0 {
		return // elements that are appended one by one are recorded where they are made
	}
	for _, x := range call.Args {
		switch u := x.Type().Underlying().(type) {
		case *types.Slice:
			f.nested(&f.Read, u.Elem(), s)
			f.nested(&f.Written, u.Elem(), s)
		case *types.Map:
			f.nested(&f.Read, u.Elem(), s)
			f.nested(&f.Written, u.Elem(), s)
		}
	}
}

// own reports whether an address is that of a variable of the function to which nothing else refers: what is stored in
// it is not part of a state yet.
func own(addr ssa.Value) bool {
	a, ok := addr.(*ssa.Alloc)
	return ok && !a.Heap
}

// literal reports whether a value is a struct that is just made from fields.
func literal(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	a, ok := load.X.(*ssa.Alloc)
	if !ok || a.Comment != "complit" {
		return false
	}
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef:
		case *ssa.UnOp:
			if r != load {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// byField reports whether only the fields of a struct that is read are used, which are recorded one by one.
func byField(load *ssa.UnOp) bool {
	for _, r := range *load.Referrers() {
		switch r := r.(type) {
		case *ssa.Field, *ssa.DebugRef:
		case *ssa.MakeInterface: // which records what package json reads
			if !asJSON(r) {
				return false
			}
		case *ssa.Store:
			a, ok := r.Addr.(*ssa.Alloc)
			if !ok || !fieldsOnly(a) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// fieldsOnly reports whether a variable is only set, and only its fields are used.
func fieldsOnly(a *ssa.Alloc) bool {
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != a {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func (f *Fields) nestedLoad(in *ssa.UnOp, s *summariser) {
	if _, ok := in.Type().Underlying().(*types.Array); ok {
		f.nested(&f.Read, in.Type(), s)
	}
}

func fieldName(t types.Type, i int) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		return s.Field(i).Name()
	}
	return ""
}
