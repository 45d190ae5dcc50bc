package rules

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
)

var encoding = &Rule{
	Name: "encoding", Short: "encodings and hashes that are not the same on every machine", Duty: "Encodings",
	Fix: "write sorted keys and fields of fixed width in a fixed byte order (encoding/binary with LittleEndian), or use canon", examine: examineEncoding,
}

func isSliceType(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// examineEncoding finds encoders whose output depends on the machine or on chance, and types that they encode
// differently.
func examineEncoding(c *Context) {
	fromLibrary(c)
	c.instructions(func(in ssa.Instruction) {
		call, ok := in.(*ssa.Call)
		if !ok {
			return
		}
		pkg, name := called(&call.Call)
		intoOld(c, call, pkg, name)
		switch pkg {
		case "encoding/binary":
			for i, a := range call.Call.Args {
				c.binaryArg(call, name, a, i == len(call.Call.Args)-1 || name == "Append" || name == "Encode")
			}
		case "encoding/json":
			if name == "Marshal" || name == "MarshalIndent" || name == "Encoder.Encode" {
				for _, a := range call.Call.Args {
					if m, ok := a.(*ssa.MakeInterface); ok && hasFloat(m.X.Type(), nil) {
						c.report(call.Pos(), "json prints floats of %s, and promises the same text only for one version of Go", short(m.X.Type()))
					}
				}
			}
		case "fmt":
			c.printed(call, name)
		}
	})
}

// binaryArg examines an argument of encoding/binary. Only the data that is written is checked for its width, not the
// writer.
func (c *Context) binaryArg(call *ssa.Call, name string, a ssa.Value, data bool) {
	m, ok := a.(*ssa.MakeInterface)
	if !ok {
		return
	}
	if n := named(m.X.Type()); n != nil && n.Obj().Name() == "nativeEndian" {
		c.report(call.Pos(), "binary.NativeEndian is the byte order of the machine")
		return
	}
	if !data {
		return
	}
	if name == "Write" || name == "Append" || name == "Encode" || name == "Size" || name == "Read" || name == "Decode" {
		if path := platformInt(m.X.Type(), "", nil); path != "" {
			c.report(call.Pos(), "binary.%s cannot write %s, whose width depends on the machine", name, path)
		}
	}
}

// platformInt returns the path to an int, uint or uintptr in a type.
func platformInt(t types.Type, path string, seen []types.Type) string {
	for _, s := range seen {
		if types.Identical(s, t) {
			return ""
		}
	}
	seen = append(seen, t)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if isPlatformInt(u) {
			return strings.TrimSpace("an " + u.Name() + " " + path)
		}
	case *types.Pointer:
		return platformInt(u.Elem(), path, seen)
	case *types.Slice:
		return platformInt(u.Elem(), path, seen)
	case *types.Array:
		return platformInt(u.Elem(), path, seen)
	case *types.Struct:
		for i := range u.NumFields() {
			if p := platformInt(u.Field(i).Type(), "("+u.Field(i).Name()+")", seen); p != "" {
				return p
			}
		}
	}
	return ""
}

func hasFloat(t types.Type, seen []types.Type) bool {
	for _, s := range seen {
		if types.Identical(s, t) {
			return false
		}
	}
	seen = append(seen, t)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return isFloat(u)
	case *types.Pointer:
		return hasFloat(u.Elem(), seen)
	case *types.Slice:
		return hasFloat(u.Elem(), seen)
	case *types.Array:
		return hasFloat(u.Elem(), seen)
	case *types.Map:
		return hasFloat(u.Elem(), seen)
	case *types.Struct:
		for i := range u.NumFields() {
			if hasFloat(u.Field(i).Type(), seen) {
				return true
			}
		}
	}
	return false
}

// printed reports structs, maps and interfaces that are printed in their Go form: %v is for people, and may change.
// This matters where bytes are compared.
func (c *Context) printed(call *ssa.Call, name string) {
	if _, ok := formatting["fmt."+name]; !ok || name == "Errorf" {
		return
	}
	for _, a := range flow.Variadic(call.Call.Args[len(call.Call.Args)-1]) {
		m, ok := a.(*ssa.MakeInterface)
		if !ok || textual(m.X.Type()) {
			continue
		}
		switch m.X.Type().Underlying().(type) {
		case *types.Map, *types.Struct, *types.Pointer:
			f := c.report(call.Pos(), "fmt prints a %s for people, and promises no bytes", kindOf(m.X.Type()))
			f.Roles = []string{"Hash", "Marshal", "Equal"}
			return
		}
	}
}

func kindOf(t types.Type) string {
	switch t.Underlying().(type) {
	case *types.Map:
		return "map"
	case *types.Struct:
		return "struct"
	}
	return "pointer"
}
