package rules

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A comparison names what it compares by a path: the field of an element, and the field of that, such as "At.X".

// partPath joins two paths, of which the first may be that of the whole element, "".
func partPath(of, name string) string {
	if of == "" {
		return name
	}
	return of + "." + name
}

// lastOf returns the last name of a path.
func lastOf(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// part names a field of a struct, with the number of fields of the element if the field is one of its own.
func (k *keys) part(of ssa.Value, i int) (string, int) {
	name, n := field(of.Type(), i)
	if name == "" {
		return "", 0
	}
	outer, m := "", 0
	switch of := of.(type) {
	case *ssa.FieldAddr:
		outer, m = k.part(of.X, of.Field)
	case *ssa.Field:
		outer, m = k.part(of.X, of.Field)
	case *ssa.UnOp:
		if at, ok := of.X.(*ssa.FieldAddr); ok {
			outer, m = k.part(at.X, at.Field)
		}
	}
	switch {
	case outer == "":
		return name, n
	case n == 1:
		return partPath(outer, name), m // it is all of the outer field
	}
	return partPath(outer, name), 0
}

// accessed names what a method returns that does nothing but return a part of its receiver.
func (k *keys) accessed(call *ssa.CallCommon) (string, int) {
	fn := call.StaticCallee()
	if fn == nil || len(fn.Params) != 1 || len(fn.Blocks) != 1 || len(call.Args) != 1 {
		return "", 0
	}
	r, ok := fn.Blocks[0].Instrs[len(fn.Blocks[0].Instrs)-1].(*ssa.Return)
	if !ok || len(r.Results) != 1 {
		return "", 0
	}
	var inner ssa.Value
	var i int
	switch v := r.Results[0].(type) {
	case *ssa.Field:
		inner, i = v.X, v.Field
	case *ssa.UnOp:
		at, ok := v.X.(*ssa.FieldAddr)
		if !ok {
			return "", 0
		}
		inner, i = at.X, at.Field
	default:
		return "", 0
	}
	if !fromParameter(inner, 0) {
		return "", 0
	}
	name, n := (&keys{}).part(inner, i)
	of, m := k.name(call.Args[0])
	switch {
	case name == "" || of == "":
		return "", 0
	case of == "*":
		return name, n
	case n == 1:
		return partPath(of, name), m
	}
	return partPath(of, name), 0
}

// mostEntries is the size of the largest array whose entries are looked for one by one.
const mostEntries = 64

// cover reports whether all of a type is compared: each of its fields, or each field of these, and so on.
func (k *keys) cover(t types.Type, path string) bool {
	if k.fields[path] {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for i := range t.NumFields() {
			if f := t.Field(i); f.Name() != "_" && !k.cover(f.Type(), partPath(path, f.Name())) {
				return false
			}
		}
		return true
	case *types.Array:
		name := lastOf(path)
		if path == "" {
			name = unnamed
		}
		for i := range t.Len() {
			if i >= mostEntries || !k.fields[fmt.Sprintf("%s[%d]", name, i)] {
				return false
			}
		}
		return true
	}
	return false
}
