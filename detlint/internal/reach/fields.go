package reach

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Fields are the fields of named structs that a function touches, by the full name of the type.
// The field "*" is all of them.
type Fields struct {
	Read, Written map[string][]string
	All           bool // something walks over all that a value leads to, as reflection does
}

func (f *Fields) note(to *map[string][]string, t types.Type, name string, s *summariser) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return
	}
	st, ok := n.Underlying().(*types.Struct)
	if !ok || n.Obj().Pkg() == nil {
		return
	}
	key := n.String()
	s.structure(key, n, st)
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

// nested notes structs that are a part of one that is touched as a whole.
func (f *Fields) nested(to *map[string][]string, t types.Type, s *summariser) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		f.note(to, t, "*", s)
	case *types.Array:
		f.nested(to, u.Elem(), s)
	}
}

// instruction notes what an instruction touches.
func (f *Fields) instruction(in ssa.Instruction, s *summariser) {
	switch in := in.(type) {
	case *ssa.FieldAddr:
		name := fieldName(in.X.Type(), in.Field)
		for _, r := range *in.Referrers() {
			switch r := r.(type) {
			case *ssa.Store:
				if r.Addr == in {
					f.note(&f.Written, in.X.Type(), name, s)
					continue
				}
				f.note(&f.Read, in.X.Type(), name, s)
				f.note(&f.Written, in.X.Type(), name, s)
			case *ssa.UnOp:
				f.note(&f.Read, in.X.Type(), name, s)
				if leadsOn(r.Type()) {
					f.note(&f.Written, in.X.Type(), name, s)
				}
			case *ssa.DebugRef:
			default:
				f.note(&f.Read, in.X.Type(), name, s)
				f.note(&f.Written, in.X.Type(), name, s)
			}
		}
	case *ssa.Field:
		f.note(&f.Read, in.X.Type(), fieldName(in.X.Type(), in.Field), s)
	case *ssa.UnOp:
		if _, ok := in.Type().Underlying().(*types.Struct); ok {
			f.note(&f.Read, in.Type(), "*", s)
		}
		f.nestedLoad(in, s)
	case *ssa.Store:
		f.nested(&f.Written, in.Val.Type(), s)
	case *ssa.MakeInterface:
		if p, ok := in.X.Type().Underlying().(*types.Pointer); ok {
			if _, ok := p.Elem().Underlying().(*types.Struct); ok {
				f.All = true
			}
		} else if _, ok := in.X.Type().Underlying().(*types.Struct); ok {
			f.note(&f.Read, in.X.Type(), "*", s)
		}
	}
}

func (f *Fields) nestedLoad(in *ssa.UnOp, s *summariser) {
	if _, ok := in.Type().Underlying().(*types.Array); ok {
		f.nested(&f.Read, in.Type(), s)
	}
}

// leadsOn reports whether what is read may be written through.
func leadsOn(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer:
		return true
	}
	return false
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
