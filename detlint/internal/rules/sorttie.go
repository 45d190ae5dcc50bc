package rules

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var sorttie = &Rule{
	Name: "sorttie", Short: "sorting, and priority queues, by an order in which different elements are equal", Duty: "Sorting with ties",
	Fix: "break the tie by a unique number: cmp.Or(cmp.Compare(a.Life, b.Life), cmp.Compare(a.ID, b.ID)); or sort stably", examine: examineSortTie,
}

func examineSortTie(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		call, ok := in.(*ssa.Call)
		if !ok {
			return
		}
		pkg, name := called(&call.Call)
		switch pkg + "." + name {
		case "slices.SortFunc", "sort.Slice", "slices.SortedFunc":
			if !totalOrder(c, call.Call.Args[1]) {
				c.report(call.Pos(), "elements that compare as equal end up in an order that %s.%s does not promise", pkg, name)
			}
		case "sort.Sort":
			if !totalLess(c, call.Call.Args[0]) {
				c.report(call.Pos(), "elements that compare as equal end up in an order that sort.Sort does not promise")
			}
		case "container/heap.Init", "container/heap.Push", "container/heap.Pop", "container/heap.Fix", "container/heap.Remove":
			if name == "Pop" && !totalLess(c, call.Call.Args[0]) {
				c.report(call.Pos(), "which of the elements that compare as equal comes first depends on the past of the heap")
			}
		}
	})
}

// totalLess judges the Less method of a value that is passed as an interface.
func totalLess(c *Context, v ssa.Value) bool {
	m, ok := v.(*ssa.MakeInterface)
	if !ok {
		if ch, ok := v.(*ssa.ChangeInterface); ok {
			return totalLess(c, ch.X)
		}
		if call, ok := v.(*ssa.Call); ok { // sort.Reverse of something
			if pkg, name := called(&call.Call); pkg == "sort" && name == "Reverse" {
				return totalLess(c, call.Call.Args[0])
			}
		}
		return false
	}
	t := m.X.Type()
	if n := named(t); n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sort" {
		return true // sort.IntSlice and StringSlice; of Float64Slice other rules speak
	}
	sel := c.Fn.Prog.MethodSets.MethodSet(t).Lookup(nil, "Less")
	if sel == nil {
		return false
	}
	fn := c.Fn.Prog.MethodValue(sel)
	if fn == nil {
		return true
	}
	return totalFunc(fn)
}

// totalOrder judges a function that compares two elements.
func totalOrder(c *Context, v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Function:
		return totalFunc(v)
	case *ssa.MakeClosure:
		return totalFunc(v.Fn.(*ssa.Function))
	case *ssa.ChangeType:
		return totalOrder(c, v.X)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !totalOrder(c, e) {
				return false
			}
		}
		return true
	case *ssa.UnOp: // a variable: it is judged by what is stored there
		return totalVariable(c, v)
	}
	return false
}

// totalVariable judges the functions that a local or a package variable may hold.
func totalVariable(c *Context, load *ssa.UnOp) bool {
	var stores []ssa.Value
	collect := func(fn *ssa.Function) {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if s, ok := in.(*ssa.Store); ok && s.Addr == load.X {
					stores = append(stores, s.Val)
				}
			}
		}
	}
	switch at := load.X.(type) {
	case *ssa.Alloc:
		collect(c.Fn)
	case *ssa.Global:
		if at.Pkg != nil {
			if fn := at.Pkg.Func("init"); fn != nil {
				collect(fn)
			}
		}
	}
	for _, s := range stores {
		if !totalOrder(c, s) {
			return false
		}
	}
	return len(stores) > 0
}

// totalFunc judges what a comparison reads: whole elements, a field that tells them apart by
// its name, all fields, or at least two of them, of which the second breaks ties.
func totalFunc(fn *ssa.Function) bool {
	if pkg, name := nameOf(fn); pkg == "cmp" && (name == "Compare" || name == "Less") ||
		pkg == "strings" && name == "Compare" || pkg == "bytes" && name == "Compare" {
		return true
	}
	if len(fn.Blocks) == 0 {
		return false
	}
	k := keysOf(fn, 0)
	if k.whole || len(k.fields) >= 2 {
		return true
	}
	for name := range k.fields {
		if unique(name) {
			return true
		}
	}
	return k.elements > 0 && len(k.fields) == k.elements
}

// unique reports whether a name is that of a number that no two elements share.
func unique(name string) bool {
	l := strings.ToLower(name)
	for _, s := range []string{"id", "key", "index", "idx", "seq", "serial", "slot", "player", "number", "order", "handle", "uid", "entity"} {
		if l == s {
			return true
		}
	}
	return strings.HasSuffix(name, "ID") || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "Key") || strings.HasSuffix(name, "Index")
}

// keys is what a comparison compares.
type keys struct {
	whole    bool            // elements as a whole
	fields   map[string]bool // fields, or results of methods
	elements int             // how many fields an element has
}

// keysOf collects the operands of comparisons in a function and in those that it calls.
func keysOf(fn *ssa.Function, depth int) keys {
	k := keys{fields: map[string]bool{}}
	note := func(v ssa.Value) {
		switch name, n := keyName(v); name {
		case "":
		case "*":
			k.whole = true
		default:
			k.fields[name] = true
			k.elements = max(k.elements, n)
		}
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.BinOp:
				if ordered(in.Op) || in.Op.String() == "-" {
					note(in.X)
					note(in.Y)
				}
			case *ssa.Call:
				pkg, name := called(&in.Call)
				if name == "Compare" || name == "Less" || name == "Cmp" || pkg == "cmp" {
					for _, a := range in.Call.Args {
						note(a)
					}
					continue
				}
				if callee := in.Call.StaticCallee(); callee != nil && depth < 2 && len(callee.Blocks) > 0 && comparison(callee) {
					inner := keysOf(callee, depth+1)
					k.whole = k.whole || inner.whole
					for f := range inner.fields {
						k.fields[f] = true
					}
					k.elements = max(k.elements, inner.elements)
				}
			}
		}
	}
	return k
}

// comparison reports whether a function returns what a comparison returns.
func comparison(fn *ssa.Function) bool {
	r := fn.Signature.Results()
	return r.Len() == 1 && (isBoolean(r.At(0).Type()) || isInteger(r.At(0).Type()))
}

// keyName names what is compared: a field, a method, or "*" for a whole element; with the
// number of fields of the element.
func keyName(v ssa.Value) (string, int) {
	switch v := v.(type) {
	case *ssa.UnOp:
		switch x := v.X.(type) {
		case *ssa.FieldAddr:
			return field(x.X.Type(), x.Field)
		case *ssa.IndexAddr: // an element of the list, or what an element leads to
			if inner, n := keyName(x.X); inner != "" && inner != "*" {
				return inner, n
			}
			return "*", 0
		default:
			return "*", 0
		}
	case *ssa.Field:
		return field(v.X.Type(), v.Field)
	case *ssa.Parameter:
		if _, basic := v.Type().Underlying().(*types.Basic); basic {
			return "*", 0
		}
	case *ssa.Index:
		return "*", 0
	case *ssa.Convert:
		if isUnsafe(v.Type()) {
			return "*", 0 // an address, of which another rule speaks
		}
		return keyName(v.X)
	case *ssa.ChangeType:
		return keyName(v.X)
	case *ssa.Call: // a method of the element, or a function of it
		_, name := called(&v.Call)
		if name == "" {
			name = "call"
		}
		return name + "()", 0
	case *ssa.Lookup:
		return "lookup", 0
	case *ssa.BinOp:
		x, n := keyName(v.X)
		if x == "" {
			x, n = keyName(v.Y)
		}
		if x == "*" && !keepsApart(v) {
			return "", 0
		}
		return x, n
	case *ssa.Const:
		return "", 0
	}
	return "", 0
}

// keepsApart reports whether an operation makes different numbers of different numbers.
func keepsApart(b *ssa.BinOp) bool {
	return (b.Op == token.ADD || b.Op == token.SUB || b.Op == token.XOR) && (isConst(b.X) || isConst(b.Y))
}

// field names a field of a struct, with the number of its fields.
func field(t types.Type, i int) (string, int) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return "", 0
	}
	return s.Field(i).Name(), s.NumFields()
}
