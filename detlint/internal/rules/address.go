package rules

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
	"github.com/tickback/tickback/detlint/internal/std"
)

var address = &Rule{
	Name: "address", Short: "addresses that are printed, ordered, hashed or made a number; unsafe", Duty: "Addresses",
	Fix: "use a number that the game gives", examine: examineAddress,
}

func examineAddress(c *Context) {
	fromLibrary(c)
	c.instructions(func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Convert:
			c.unsafely(in)
		case *ssa.Call:
			c.formats(in)
			passesOn(c, in)
			recovered(c, in)
			if b, ok := in.Call.Value.(*ssa.Builtin); ok && b.Name() == "String" { // of package unsafe
				c.report(in.Pos(), "unsafe.String makes a text of memory that may change, and that may be of the engine: use string")
			}
		case *ssa.BinOp:
			sizeless(c, in)
		}
	})
}

func isUnsafe(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// unsafely reports conversions from and to unsafe.Pointer.
func (c *Context) unsafely(in *ssa.Convert) {
	switch from, to := isUnsafe(in.X.Type()), isUnsafe(in.Type()); {
	case from && isPlatformInt(in.Type()):
		c.report(c.pos(in), "an address becomes a number, which is another one in each process")
	case to && !remain(in):
		c.report(c.pos(in), "unsafe.Pointer sees memory as it lies there: byte order, padding and addresses differ between machines")
	}
}

// formatting are the functions that print to a string, with the index of the format, or -1.
var formatting = map[string]int{
	"fmt.Sprint": -1, "fmt.Sprintln": -1, "fmt.Append": -1, "fmt.Appendln": -1,
	"fmt.Sprintf": 0, "fmt.Errorf": 0, "fmt.Appendf": 1, "fmt.Fprint": -1, "fmt.Fprintln": -1, "fmt.Fprintf": 1,
}

// formats looks for addresses among the printed values.
func (c *Context) formats(in *ssa.Call) {
	pkg, name := called(&in.Call)
	format, ok := formatting[pkg+"."+name]
	if !ok {
		return
	}
	args := flow.Variadic(in.Call.Args[len(in.Call.Args)-1])
	verbs := ""
	if format >= 0 {
		text, constant := constString(in.Call.Args[format])
		if constant {
			verbs = text
		}
		if strings.Contains(text, "%p") || strings.Contains(text, "%#p") {
			c.report(in.Pos(), "%%p prints an address, which is another one in each process")
			return
		}
	}
	for _, a := range args {
		m, ok := a.(*ssa.MakeInterface)
		if !ok {
			continue
		}
		if why := prints(m.X.Type(), 0, nil); why != "" && !(verbs != "" && onlyTypes(verbs)) {
			c.report(in.Pos(), "%s.%s prints %s, which is another one in each process", pkg, name, why)
			return
		}
	}
}

// passesOn looks for addresses among the arguments of a function that prints them.
func passesOn(c *Context, in *ssa.Call) {
	fn := in.Call.StaticCallee()
	if fn == nil {
		return
	}
	if pkg, _ := nameOf(fn); std.Known(pkg) {
		return
	}
	t := c.Flow.Traits(fn)
	for i, x := range in.Call.Args {
		if !t.PrintsArg(i) {
			continue
		}
		for _, a := range append(flow.Variadic(x), x) {
			if m, ok := a.(*ssa.MakeInterface); ok {
				if why := prints(m.X.Type(), 0, nil); why != "" {
					_, name := nameOf(fn)
					c.report(in.Pos(), "%s prints %s, which is another one in each process", name, why)
					return
				}
			}
		}
	}
}

// sizeless reports comparisons of pointers to types of size zero, which may or may not be equal.
func sizeless(c *Context, in *ssa.BinOp) {
	p, ok := in.X.Type().Underlying().(*types.Pointer)
	if !ok || in.Op != token.EQL && in.Op != token.NEQ || isConst(in.X) || isConst(in.Y) || generic(p.Elem()) {
		return
	}
	if types.SizesFor("gc", "amd64").Sizeof(p.Elem()) == 0 {
		c.report(in.Pos(), "pointers to %s, whose size is zero, may be equal on one machine and not on another", short(p.Elem()))
	}
}

// onlyTypes reports whether a format only prints types.
func onlyTypes(format string) bool {
	return strings.Count(format, "%") == strings.Count(format, "%T")+2*strings.Count(format, "%%")
}

// prints returns the address that package fmt prints for a value of a type, or "". At the top level, it follows a
// pointer to a struct, a slice, an array or a map.
func prints(t types.Type, depth int, seen []types.Type) string {
	for _, s := range seen {
		if types.Identical(s, t) {
			return ""
		}
	}
	seen = append(seen, t)
	if textual(t) {
		return ""
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if depth == 0 {
			switch u.Elem().Underlying().(type) {
			case *types.Struct, *types.Slice, *types.Array, *types.Map:
				return prints(u.Elem(), depth+1, seen)
			}
		}
		return "an address"
	case *types.Signature:
		return "the address of a function"
	case *types.Chan:
		return "the address of a channel"
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			return "an address"
		}
	case *types.Slice:
		return prints(u.Elem(), depth+1, seen)
	case *types.Array:
		return prints(u.Elem(), depth+1, seen)
	case *types.Map:
		if why := prints(u.Key(), depth+1, seen); why != "" {
			return why
		}
		return prints(u.Elem(), depth+1, seen)
	case *types.Struct:
		for i := range u.NumFields() {
			if why := prints(u.Field(i).Type(), depth+1, seen); why != "" {
				return why
			}
		}
	}
	return ""
}

// textual reports whether a type determines itself how it is printed.
func textual(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Interface); ok {
		return true // its contents are not known
	}
	for _, name := range []string{"String", "Error", "Format", "GoString"} {
		obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
		if _, ok := obj.(*types.Func); ok {
			return true
		}
	}
	return false
}
