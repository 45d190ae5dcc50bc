package rules

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
	"github.com/tickback/tickback/detlint/internal/std"
	"github.com/tickback/tickback/detlint/internal/typekey"
)

// examineStored reports package variables that are stored in a field by reference: a slice, a map or a pointer. The
// finding counts if something that is reached writes to memory to which such a field refers: then the variable changes,
// and no snapshot contains that.
func examineStored(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Store:
			storedIn(c, in, in.Addr, in.Val)
		case *ssa.MapUpdate:
			storedIn(c, in, in.Map, in.Value)
		case *ssa.Call:
			storedBy(c, in)
		}
	})
}

// storedIn reports a value that refers to a package variable and is stored at an address.
func storedIn(c *Context, in ssa.Instruction, at, v ssa.Value) {
	field, name := fieldOf(at)
	if field == "" {
		return
	}
	for _, v := range append(appended(v), v) {
		if g := variableIn(c, v); g != nil {
			reportStored(c, in, g, field, name)
			return
		}
	}
}

func reportStored(c *Context, in ssa.Instruction, g *ssa.Global, field, name string) {
	f := c.report(c.pos(in), "%s leads to the package variable %s from here on, which is changed through it, and not restored when the state goes back: copy it",
		name, g.Name())
	f.Through = field
}

// storedBy examines a call of a function that stores an argument in a field.
func storedBy(c *Context, in *ssa.Call) {
	fn, args := c.Flow.Callee(&in.Call)
	if fn == nil {
		return
	}
	t := c.Flow.Traits(fn)
	for i, x := range args {
		if !t.KeepsArg(i) || i >= len(fn.Params) {
			continue
		}
		if g := variableIn(c, x); g != nil {
			if field, name := keptIn(c, fn, fn.Params[i], 0); field != "" {
				reportStored(c, in, g, field, name)
			}
		}
	}
}

// keptIn returns the field in which a function stores a parameter unchanged, directly or through a few calls.
func keptIn(c *Context, fn *ssa.Function, p *ssa.Parameter, depth int) (field, name string) {
	instructionsOf(fn, func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Store:
			if field == "" && in.Val == ssa.Value(p) {
				field, name = fieldOf(in.Addr)
			}
		case *ssa.Call:
			inner, args := c.Flow.Callee(&in.Call)
			for i, x := range args {
				if field == "" && x == ssa.Value(p) && inner != nil && depth < 3 && i < len(inner.Params) {
					field, name = keptIn(c, inner, inner.Params[i], depth+1)
				}
			}
		}
	})
	return field, name
}

// appended returns the values that append adds to a slice.
func appended(v ssa.Value) []ssa.Value {
	if call, ok := v.(*ssa.Call); ok && builtin(&call.Call) == "append" {
		return flow.Variadic(call.Call.Args[1])
	}
	return nil
}

// variableIn returns the package variable that a value refers to unchanged, or nil. The result of append is new memory,
// unless there was room.
func variableIn(c *Context, v ssa.Value) *ssa.Global {
	switch v.Type().Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer, *types.Struct, *types.Array:
	default:
		return nil // nothing is written through an interface or a function
	}
	if call, ok := v.(*ssa.Call); ok && builtin(&call.Call) != "" {
		return nil
	}
	for _, g := range c.Flow.Of(v).Globals {
		if g.Pkg != nil && !std.Known(g.Pkg.Pkg.Path()) {
			return g
		}
	}
	return nil
}

// fieldOf returns the field that an address points to, or into, by the full name of its struct, and by a name for
// people; "" if there is none.
func fieldOf(addr ssa.Value) (field, name string) {
	for v := range flow.Within(addr) {
		f, ok := v.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		t := f.X.Type()
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return "", ""
		}
		member := st.Field(f.Field).Name()
		return typekey.Of(f.Parent().Prog.Fset, t) + "." + member, short(t) + "." + member
	}
	return "", ""
}
