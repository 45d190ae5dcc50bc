package reach

import (
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/rules"
)

// asJSON reports whether a value is converted to an interface only for package json to encode it, which leaves out
// unexported fields.
func asJSON(in *ssa.MakeInterface) bool {
	used := false
	for _, r := range *in.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		call, ok := r.(*ssa.Call)
		if !ok || call.Call.StaticCallee() == nil {
			return false
		}
		pkg, name := rules.NameOf(call.Call.StaticCallee())
		if pkg != "encoding/json" || name != "Marshal" && name != "MarshalIndent" && name != "Encoder.Encode" {
			return false
		}
		used = true
	}
	return used
}

// exported records what package json reads from a value.
func (f *Fields) exported(t types.Type, s *summariser, seen []types.Type) {
	if slices.Contains(seen, t) {
		return
	}
	seen = append(seen, t)
	if own := types.NewMethodSet(types.NewPointer(t)); own.Lookup(nil, "MarshalJSON") != nil || own.Lookup(nil, "MarshalText") != nil {
		f.deep(&f.Read, t, s, nil) // its own method decides what is written
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			v := u.Field(i)
			if tag := reflect.StructTag(u.Tag(i)).Get("json"); (v.Exported() || v.Embedded()) && tag != "-" {
				f.note(&f.Read, t, v.Name(), s)
				f.exported(v.Type(), s, seen)
			}
		}
	case *types.Array:
		f.exported(u.Elem(), s, seen)
	case *types.Slice:
		f.exported(u.Elem(), s, seen)
	case *types.Pointer:
		f.exported(u.Elem(), s, seen)
	case *types.Map:
		f.exported(u.Key(), s, seen)
		f.exported(u.Elem(), s, seen)
	case *types.Interface:
		f.All = true // its contents are not known
	}
}
