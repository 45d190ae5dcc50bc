package rules

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

// totalFunc judges a comparison by what it reads: whole elements, a field whose name suggests that it is unique, all
// fields, or at least two of them, the second of which breaks ties. positions says that its parameters are positions
// in the slice, as in Less, and not elements.
func totalFunc(fn *ssa.Function, positions bool) bool {
	return order{positions: positions}.total(fn)
}

// order is what is known of a sort, besides its comparison.
type order struct {
	positions bool
	supplied  supplied
	// keys, if not nil, is the type of the elements, which are the keys of a map: no two are equal as a whole, and
	// nothing else is known of them. Then two fields do not suffice if there are more.
	keys types.Type
}

// total does what totalFunc does.
func (o order) total(fn *ssa.Function) bool {
	if pkg, name := nameOf(fn); len(fn.Blocks) == 0 {
		return totalInLibrary[pkg+"."+name]
	}
	k := keysOf(fn, o.positions, 0, o.supplied)
	if k.whole || o.keys == nil && len(k.fields) >= 2 {
		return true
	}
	for path := range k.fields {
		if unique(lastOf(path)) || k.apart[path] {
			return true
		}
	}
	return k.elements > 0 && len(k.fields) == k.elements || o.keys != nil && k.cover(o.keys, "")
}

// totalInLibrary are the comparisons of the standard library in which only equal elements are equal.
var totalInLibrary = map[string]bool{
	"cmp.Compare": true, "cmp.Less": true, "strings.Compare": true, "bytes.Compare": true, "slices.Compare": true,
	"net/netip.Addr.Compare": true, "net/netip.Addr.Less": true, "net/netip.AddrPort.Compare": true, "net/netip.Prefix.Compare": true,
}

// unique reports whether a name suggests a number that differs for all elements.
func unique(name string) bool {
	l := strings.ToLower(name)
	for _, s := range []string{"id", "key", "index", "idx", "seq", "serial", "slot", "player", "number", "order", "handle", "uid", "entity"} {
		if l == s {
			return true
		}
	}
	return strings.HasSuffix(name, "ID") || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "Key") || strings.HasSuffix(name, "Index")
}

// keys describes what a comparison compares.
type keys struct {
	// positions says that the parameters are positions in the slice.
	positions bool
	whole     bool            // elements as a whole
	fields    map[string]bool // fields, entries of tables, or results of methods
	elements  int             // how many fields an element has
	apart     map[string]bool // fields whose types are named like numbers that differ for all elements
}

// keysOf collects the operands of comparisons in a function and in those that it calls.
func keysOf(fn *ssa.Function, positions bool, depth int, g supplied) keys {
	k := keys{positions: positions, fields: map[string]bool{}, apart: map[string]bool{}}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.BinOp:
				equality := (in.Op == token.EQL || in.Op == token.NEQ) && isBoolean(in.X.Type()) // there is no other order of these
				if ordered(in.Op) || in.Op == token.SUB && !operand(in) || equality {
					k.both(in.X, in.Y)
				}
			case *ssa.Call:
				pkg, name := called(&in.Call)
				callee, inside := g.callee(&in.Call)
				switch {
				case callee != nil && depth < 4 && len(callee.Blocks) > 0 && comparison(callee):
					k.join(&in.Call, keysOf(callee, positions && passes(&in.Call), depth+1, inside))
				case callee != nil && totalInLibrary[qualified(callee)], name == "Compare" || name == "Less" || name == "Cmp" || pkg == "cmp":
					for _, a := range in.Call.Args {
						k.note(a)
					}
				}
			}
		}
	}
	return k
}

func qualified(fn *ssa.Function) string {
	pkg, name := nameOf(fn)
	return pkg + "." + name
}

// passes reports whether a call passes a parameter on: a position remains one.
func passes(call *ssa.CallCommon) bool {
	for _, a := range call.Args {
		if p, ok := a.(*ssa.Parameter); ok && isInteger(p.Type()) {
			return true
		}
	}
	return false
}

// operand reports whether something else is computed from an operation.
func operand(b *ssa.BinOp) bool {
	return slices.ContainsFunc(*b.Referrers(), func(r ssa.Instruction) bool {
		o, ok := r.(*ssa.BinOp)
		return ok && !ordered(o.Op) && o.Op != token.EQL && o.Op != token.NEQ
	})
}

// both records two operands that are compared: if they are of different fields, one does not determine the other, so
// the two are one key.
func (k *keys) both(x, y ssa.Value) {
	a, _ := k.name(x)
	b, _ := k.name(y)
	if a != b && a != "" && b != "" && a != "*" && b != "*" {
		k.fields[a+", "+b] = true
		return
	}
	k.note(x)
	k.note(y)
}

func (k *keys) note(v ssa.Value) {
	switch name, n := k.name(v); name {
	case "":
	case "*":
		k.whole = true
	default:
		k.fields[name] = true
		k.elements = max(k.elements, n)
		if t, ok := types.Unalias(v.Type()).(*types.Named); ok && unique(t.Obj().Name()) {
			k.apart[name] = true
		}
	}
}

// join adds what a comparison that is called compares: of the elements, or of a part of them.
func (k *keys) join(call *ssa.CallCommon, o keys) {
	part, n := "", 0
	if last := len(call.Args) - 1; last > 0 {
		x, of := k.name(call.Args[last])
		if y, _ := k.name(call.Args[last-1]); x == y && x != "*" {
			part, n = x, of
		}
	}
	if part == "" {
		k.whole = k.whole || o.whole
	} else if o.whole {
		k.fields[part], k.elements = true, max(k.elements, n)
	}
	for f := range o.fields {
		path := partPath(part, f)
		k.fields[path] = true
		k.apart[path] = k.apart[path] || o.apart[f]
	}
	if part == "" {
		k.elements = max(k.elements, o.elements)
	}
}

// comparison reports whether a function returns the result of a comparison.
func comparison(fn *ssa.Function) bool {
	r := fn.Signature.Results()
	return len(fn.Params) > 1 && r.Len() == 1 && (isBoolean(r.At(0).Type()) || isInteger(r.At(0).Type()))
}

// name returns a name of what is compared: a field, an entry of a table, a method, or "*" for a whole element; with
// the number of fields of the element.
func (k *keys) name(v ssa.Value) (string, int) {
	switch v := v.(type) {
	case *ssa.UnOp:
		switch x := v.X.(type) {
		case *ssa.FieldAddr:
			return k.part(x.X, x.Field)
		case *ssa.IndexAddr:
			return k.entry(x.X, x.Index)
		default:
			return "*", 0
		}
	case *ssa.Slice: // of an array, to compare its entries
		if v.Low != nil || v.High != nil {
			return "", 0
		}
		switch x := v.X.(type) {
		case *ssa.FieldAddr:
			return k.part(x.X, x.Field)
		case *ssa.Alloc:
			if fromParameter(x, 0) {
				return "*", 0
			}
		}
	case *ssa.Field:
		return k.part(v.X, v.Field)
	case *ssa.Parameter:
		switch v.Type().Underlying().(type) {
		case *types.Basic, *types.Struct, *types.Array, *types.Slice:
			if !k.positions {
				return "*", 0
			}
		}
	case *ssa.Index:
		return k.entry(v.X, v.Index)
	case *ssa.Lookup:
		return k.entry(v.X, v.Index)
	case *ssa.Convert:
		if isUnsafe(v.Type()) {
			return "*", 0 // an address, which another rule reports
		}
		return k.name(v.X)
	case *ssa.ChangeType:
		return k.name(v.X)
	case *ssa.Call:
		if part, n := k.accessed(&v.Call); part != "" {
			return part, n
		}
		return result(&v.Call), 0
	case *ssa.BinOp:
		x, n := k.name(v.X)
		y, _ := k.name(v.Y)
		if x == "" {
			x, n = k.name(v.Y)
		} else if y != "" && y != x {
			return "(" + x + " " + v.Op.String() + " " + y + ")", 0 // one of several numbers
		}
		if x == "*" && !keepsApart(v) {
			return "", 0
		}
		return x, n
	}
	return "", 0
}

// entry names what is at an index: an element of the sorted slice, one of the numbers in an element, or an entry of a
// table for an element, which may be the same for another one.
func (k *keys) entry(of, index ssa.Value) (string, int) {
	switch at := index.(type) {
	case *ssa.Const:
		n := 0
		if a, ok := pointed(of.Type()).Underlying().(*types.Array); ok {
			n = int(a.Len())
		}
		if at.Value == nil || at.Value.Kind() != constant.Int {
			return tableName(of) + "[…]", n
		}
		return fmt.Sprintf("%s[%s]", tableName(of), at.Value), n
	case *ssa.Parameter:
		if k.positions && !columns(at.Parent()) {
			return "*", 0
		}
	}
	if fromParameter(index, 0) {
		return tableName(of), 0
	}
	return "*", 0 // one after the other, in a loop
}

// columns reports whether a method belongs to a struct with several slices, so that an element of one of them is only
// a part of what is sorted.
func columns(fn *ssa.Function) bool {
	if fn.Signature.Recv() == nil {
		return false
	}
	s, ok := pointed(fn.Signature.Recv().Type()).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	lists := 0
	for i := range s.NumFields() {
		switch s.Field(i).Type().Underlying().(type) {
		case *types.Slice, *types.Array:
			lists++
		}
	}
	return lists > 1
}

// unnamedCall is the name for the result of a function value for an element.
const unnamedCall = "call()"

// result names what a call returns: an entry of a table for an element, by the name of the table if it has one, or
// else by that of the function.
func result(call *ssa.CallCommon) string {
	_, name := called(call)
	if name == "" {
		return unnamedCall
	}
	if call.Signature().Recv() == nil || len(call.Args) < 2 {
		return name + "()"
	}
	switch of := call.Args[0].(type) {
	case *ssa.FieldAddr, *ssa.Field:
		return tableName(of)
	case *ssa.UnOp:
		if f, ok := of.X.(*ssa.FieldAddr); ok {
			return tableName(f)
		}
	}
	return name
}

// fromParameter reports whether a value is computed from a parameter: an element, or its position.
func fromParameter(v ssa.Value, depth int) bool {
	switch v := v.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.Alloc: // the memory of a parameter whose fields are read
		return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
			s, ok := r.(*ssa.Store)
			return ok && s.Addr == v && fromParameter(s.Val, depth+1)
		})
	}
	in, ok := v.(ssa.Instruction)
	return ok && depth < 8 && slices.ContainsFunc(in.Operands(nil), func(o *ssa.Value) bool { return *o != nil && fromParameter(*o, depth+1) })
}

// unnamed is the name for a table without one.
const unnamed = "entry"

// tableName returns the name of an array, a slice or a map: that of its field or variable.
func tableName(v ssa.Value) string {
	for v := range flow.Within(v) {
		switch v := v.(type) {
		case *ssa.FieldAddr:
			name, _ := field(v.X.Type(), v.Field)
			return name
		case *ssa.Field:
			name, _ := field(v.X.Type(), v.Field)
			return name
		case *ssa.Global, *ssa.FreeVar:
			return v.Name()
		}
	}
	return unnamed
}

// keepsApart reports whether an operation maps different numbers to different numbers.
func keepsApart(b *ssa.BinOp) bool {
	return (b.Op == token.ADD || b.Op == token.SUB || b.Op == token.XOR) && (isConst(b.X) || isConst(b.Y))
}

// pointed returns the type that a pointer points to, and other types unchanged.
func pointed(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// field returns the name of a field of a struct, with the number of the struct's fields.
func field(t types.Type, i int) (string, int) {
	s, ok := pointed(t).Underlying().(*types.Struct)
	if !ok {
		return "", 0
	}
	return s.Field(i).Name(), s.NumFields()
}
