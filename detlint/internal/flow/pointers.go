package flow

import "go/types"

// HasPointers reports whether a value of the type can refer to memory that can be changed. Strings cannot: their bytes
// never change.
func HasPointers(t types.Type) bool { return pointers(t, nil) }

func pointers(t types.Type, seen []types.Type) bool {
	for _, s := range seen {
		if s == t {
			return false
		}
	}
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return constrained(p, append(seen, t))
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return pointers(u.Elem(), append(seen, t))
	case *types.Struct:
		for i := range u.NumFields() {
			if pointers(u.Field(i).Type(), append(seen, t)) {
				return true
			}
		}
		return false
	case *types.Tuple:
		for i := range u.Len() {
			if pointers(u.At(i).Type(), append(seen, t)) {
				return true
			}
		}
		return false
	}
	return true
}

// constrained reports whether a type parameter may stand for a type with pointers. It may not
// if its constraint lists types and none of them has pointers.
func constrained(p *types.TypeParam, seen []types.Type) bool {
	i, ok := p.Constraint().Underlying().(*types.Interface)
	if !ok || i.NumEmbeddeds() == 0 {
		return true
	}
	for j := range i.NumEmbeddeds() {
		u, ok := i.EmbeddedType(j).(*types.Union)
		if !ok {
			return pointers(i.EmbeddedType(j), seen)
		}
		for k := range u.Len() {
			if pointers(u.Term(k).Type(), seen) {
				return true
			}
		}
	}
	return false
}
