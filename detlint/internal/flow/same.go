package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Same reports whether two values are equal by their form: the same value, or built in the same way from the same
// values, if nothing between the two has changed what they read.
func Same(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *ssa.Const:
		b, ok := b.(*ssa.Const)
		return ok && a.Value == b.Value || ok && a.Value != nil && b.Value != nil && a.Value.ExactString() == b.Value.ExactString()
	case *ssa.FieldAddr:
		b, ok := b.(*ssa.FieldAddr)
		return ok && a.Field == b.Field && Same(a.X, b.X)
	case *ssa.IndexAddr:
		b, ok := b.(*ssa.IndexAddr)
		return ok && Same(a.X, b.X) && Same(a.Index, b.Index)
	case *ssa.UnOp:
		b, ok := b.(*ssa.UnOp)
		return ok && a.Op == b.Op && a.Op == token.MUL && Same(a.X, b.X)
	case *ssa.BinOp:
		b, ok := b.(*ssa.BinOp)
		return ok && a.Op == b.Op && Same(a.X, b.X) && Same(a.Y, b.Y)
	case *ssa.Field:
		b, ok := b.(*ssa.Field)
		return ok && a.Field == b.Field && Same(a.X, b.X)
	case *ssa.Convert:
		b, ok := b.(*ssa.Convert)
		return ok && Same(a.X, b.X)
	case *ssa.ChangeType:
		b, ok := b.(*ssa.ChangeType)
		return ok && Same(a.X, b.X)
	case *ssa.Lookup:
		b, ok := b.(*ssa.Lookup)
		return ok && a.CommaOk == b.CommaOk && Same(a.X, b.X) && Same(a.Index, b.Index)
	}
	return false
}
