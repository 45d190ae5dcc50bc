package rules

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"
)

// constInt returns the value of a constant, if it is an integer of 64 bits.
func constInt(v ssa.Value) (int64, bool) {
	k, ok := v.(*ssa.Const) // v may be nil
	if !ok || k.Value == nil {
		return 0, false
	}
	i := constant.ToInt(k.Value)
	if i.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(i)
}

// constString returns the value of a constant text.
func constString(v ssa.Value) (string, bool) {
	k, ok := v.(*ssa.Const)
	if !ok || k.Value == nil || k.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(k.Value), true
}
