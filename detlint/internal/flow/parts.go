package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Part is a float that is a value itself, or a part of one: in a field of a struct, or of a nested struct. The
// compiler keeps such parts in registers, and fuses operations on them across functions that it inlines.
type Part struct {
	Of    ssa.Value
	Tuple int    // the number of the result, if the value is the tuple of a call
	Path  string // the numbers of the fields, one byte each
}

// maxParts limits how many parts of all parameters or results of a function are distinguished: the number of bits in
// a set.
const maxParts = 64

// parts visits the paths of all floats in a type, in order.
func parts(t types.Type, path string, visit func(path string)) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if isFloat(u) {
			visit(path)
		}
	case *types.Struct:
		if len(path) < 8 && u.NumFields() < 64 {
			for i := range u.NumFields() {
				parts(u.Field(i).Type(), path+number(i), visit)
			}
		}
	}
}

// number encodes the number of a field in a path.
func number(field int) string { return string([]byte{byte(field)}) }

// partsOf visits the floats in a list of parameters or results, with their bits.
func partsOf(list []types.Type, visit func(bit uint64, i int, path string)) {
	n := 0
	for i, t := range list {
		parts(t, "", func(path string) {
			if n < maxParts {
				visit(1<<n, i, path)
			}
			n++
		})
	}
}

// results returns the types of a function's results.
func results(sig *types.Signature) (list []types.Type) {
	for i := range sig.Results().Len() {
		list = append(list, sig.Results().At(i).Type())
	}
	return list
}

// params returns the types of a function's parameters, with the receiver.
func params(fn *ssa.Function) (list []types.Type) {
	if len(fn.Blocks) == 0 { // it only has the types of its parameters here
		if r := fn.Signature.Recv(); r != nil {
			list = append(list, r.Type())
		}
		for i := range fn.Signature.Params().Len() {
			list = append(list, fn.Signature.Params().At(i).Type())
		}
		return list
	}
	for _, p := range fn.Params {
		list = append(list, p.Type())
	}
	return list
}

// bitOf returns the bit of a float in a list of parameters or results, or 0.
func bitOf(list []types.Type, i int, path string) (found uint64) {
	partsOf(list, func(bit uint64, j int, p string) {
		if i == j && p == path {
			found = bit
		}
	})
	return found
}
