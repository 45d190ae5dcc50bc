package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// PrintsArg reports whether the function passes its i-th argument to package fmt.
func (t Traits) PrintsArg(i int) bool { return t.Prints&bit(i) != 0 }

// isPrinted reports whether an argument is the list of values that a function of package fmt prints.
func isPrinted(fn *ssa.Function, call *ssa.CallCommon, i int) bool {
	p := fn.Package()
	if p == nil || p.Pkg.Path() != "fmt" || i != len(call.Args)-1 || !fn.Signature.Variadic() {
		return false
	}
	name := strings.TrimPrefix(fn.Name(), "F")
	return strings.HasPrefix(name, "Sprint") || strings.HasPrefix(name, "Append") || strings.HasPrefix(name, "print") || name == "Errorf"
}

// prints adds the parameters that are among the printed values.
func (t *Traits) prints(v ssa.Value) {
	for _, x := range append(Variadic(v), v) {
		p, ok := x.(*ssa.Parameter)
		if !ok {
			continue
		}
		for i, q := range p.Parent().Params {
			if q == p && ofInterfaces(p.Type()) {
				t.Prints |= bit(i)
			}
		}
	}
}

// ofInterfaces reports whether a type is an interface, or a slice of interfaces.
func ofInterfaces(t types.Type) bool {
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	_, ok := t.Underlying().(*types.Interface)
	return ok
}

// Variadic returns the values that are passed as the last, variadic parameter.
func Variadic(v ssa.Value) (list []ssa.Value) {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	a, ok := s.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	for _, r := range *a.Referrers() {
		if at, ok := r.(*ssa.IndexAddr); ok {
			for _, u := range *at.Referrers() {
				if st, ok := u.(*ssa.Store); ok {
					list = append(list, st.Val)
				}
			}
		}
	}
	return list
}
