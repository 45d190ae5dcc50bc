package rules

import (
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/ssa"
)

var excluded = &Rule{
	Name: "excluded", Short: "fields without a place in hashes and encodings (canon:\"-\") that decide something", Duty: "Excluded fields",
	Fix: "make it an ordinary field", examine: examineExcluded,
}

// examineExcluded follows values read from an excluded field: they may only be stored in such a field again.
func examineExcluded(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		var name string
		switch in := in.(type) {
		case *ssa.UnOp:
			if at, ok := in.X.(*ssa.FieldAddr); ok && in.Op == token.MUL && !writtenBefore(in) {
				name = excludedField(at.X.Type(), at.Field)
			}
		case *ssa.Field:
			name = excludedField(in.X.Type(), in.Field)
		}
		if v, ok := in.(ssa.Value); ok && name != "" && escapes(v, map[ssa.Value]bool{}) {
			f := c.report(c.pos(in), "%s is in no hash and in no encoding, so that a newcomer has another one, and it decides something here", name)
			f.Plain = true
		}
	})
}

// excludedField returns the name of a field that is tagged with canon:"-".
func excludedField(t types.Type, i int) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || reflect.StructTag(s.Tag(i)).Get("canon") != "-" {
		return ""
	}
	return s.Field(i).Name()
}

// escapes reports whether a value is used for anything except an excluded field.
func escapes(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			at, ok := r.Addr.(*ssa.FieldAddr)
			if r.Addr == v { // the memory that an excluded pointer leads to is excluded with it
				continue
			}
			if !ok || excludedField(at.X.Type(), at.Field) == "" {
				return true
			}
		case *ssa.BinOp:
			if escapes(r, seen) {
				return true
			}
		case *ssa.Slice: // list[:0] reuses the memory, without its contents
			if n, ok := constInt(r.High); (r.High == nil || !ok || n != 0) && escapes(r, seen) {
				return true
			}
		case *ssa.Convert, *ssa.ChangeType, *ssa.Phi, *ssa.IndexAddr, *ssa.FieldAddr:
			if escapes(r.(ssa.Value), seen) {
				return true
			}
		case *ssa.UnOp:
			if escapes(r, seen) {
				return true
			}
		case *ssa.If: // a condition that only affects excluded fields
			if !excludedOnly(r) {
				return true
			}
		case *ssa.Call:
			switch builtin(&r.Call) {
			case "append", "min", "max", "len":
				if escapes(r, seen) {
					return true
				}
				continue
			case "copy", "clear":
				continue
			}
			return true
		default:
			return true
		}
	}
	return false
}

// excludedOnly reports whether the branches of a condition only write to excluded fields.
func excludedOnly(cond *ssa.If) bool {
	for _, s := range cond.Block().Succs {
		if len(s.Preds) > 1 {
			continue
		}
		for _, in := range s.Instrs {
			switch in := in.(type) {
			case *ssa.Store:
				if at, ok := in.Addr.(*ssa.FieldAddr); !ok || excludedField(at.X.Type(), at.Field) == "" {
					return false
				}
			case *ssa.MapUpdate, *ssa.Return:
				return false
			case *ssa.Call:
				if builtin(&in.Call) == "" {
					return false
				}
			}
		}
	}
	return true
}

// writtenBefore reports whether a field that is read was written earlier in the same call, with a value that does not
// come from an excluded field. Then it is the same on all machines.
func writtenBefore(load *ssa.UnOp) bool {
	for _, b := range load.Parent().Blocks {
		for _, in := range b.Instrs {
			s, ok := in.(*ssa.Store)
			if ok && sameAddr(s.Addr, load.X) && before(s, load) && !fromExcluded(s.Val, 0) {
				return true
			}
		}
	}
	return false
}

// fromExcluded reports whether the code of the function computes a value from an excluded field.
func fromExcluded(v ssa.Value, depth int) bool {
	if depth > 12 {
		return true
	}
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		at, field := load.X.(*ssa.FieldAddr)
		return !field || excludedField(at.X.Type(), at.Field) != ""
	}
	in, ok := v.(ssa.Instruction)
	if !ok {
		return false
	}
	if _, phi := v.(*ssa.Phi); phi {
		return true
	}
	for _, o := range in.Operands(nil) {
		if *o != nil && fromExcluded(*o, depth+1) {
			return true
		}
	}
	return false
}
