package flow

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Part is a float that is a value, or lies in it: in a field of a struct, or of a struct in that. The compiler
// keeps such parts in registers, and what is done with them in functions that it inlines is done right there.
type Part struct {
	Of    ssa.Value
	Tuple int    // of what a call returns, the number of the result
	Path  string // the numbers of the fields, a byte each
}

// maxParts bounds the parts that are told apart of all parameters or results of a function: as many as
// a set has bits.
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

// number is the number of a field in a path.
func number(field int) string { return string([]byte{byte(field)}) }

// partsOf visits the floats in a list of parameters or results, each with its bit.
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

// results are the types of what a function returns.
func results(sig *types.Signature) (list []types.Type) {
	for i := range sig.Results().Len() {
		list = append(list, sig.Results().At(i).Type())
	}
	return list
}

// params are the types of the parameters of a function, with the receiver.
func params(fn *ssa.Function) (list []types.Type) {
	if len(fn.Blocks) == 0 { // it has no parameters here, but their types
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

// bitOf is the bit of a float in a list of parameters or results, or 0.
func bitOf(list []types.Type, i int, path string) (found uint64) {
	partsOf(list, func(bit uint64, j int, p string) {
		if i == j && p == path {
			found = bit
		}
	})
	return found
}
