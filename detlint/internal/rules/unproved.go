package rules

import (
	"fmt"

	"golang.org/x/tools/go/ssa"
)

// Unproved is the name of the rule for code that is not followed. That is not a mistake, and is a finding only on
// request.
const Unproved = "unproved"

var unproved = &Rule{
	Name: Unproved, Short: "what is not followed, so that nobody knows whether it diverges",
	Fix:     "call it in a way that can be followed, or say why it is safe with //detlint:ignore unproved REASON",
	examine: examineUnproved,
}

// reflected are the functions of package reflect whose effects are only known at run time, and what those are.
var reflected = map[string]string{
	"Value.Call": "calls a function", "Value.CallSlice": "calls a function", "MakeFunc": "makes a function",
	"Value.Method": "takes a method", "Value.MethodByName": "takes a method",
	"Value.Interface": "makes a value whose type is not known", "NewAt": "makes a value from an address", "Swapper": "makes a function",
	"Copy": "writes to memory", "Value.Grow": "writes to memory", "Value.Clear": "writes to memory", "Value.SetZero": "writes to memory",
	"Value.Set": "writes to memory", "Value.SetBool": "writes to memory", "Value.SetBytes": "writes to memory",
	"Value.SetCap": "writes to memory", "Value.SetComplex": "writes to memory", "Value.SetFloat": "writes to memory",
	"Value.SetInt": "writes to memory", "Value.SetIterKey": "writes to memory", "Value.SetIterValue": "writes to memory",
	"Value.SetLen": "writes to memory", "Value.SetMapIndex": "writes to memory", "Value.SetPointer": "writes to memory",
	"Value.SetString": "writes to memory", "Value.SetUint": "writes to memory",
}

// examineUnproved reports uses of reflection, package unsafe and pools that no other rule reports.
func examineUnproved(c *Context) {
	type line struct {
		number int
		what   string
	}
	otherCode(c)
	said := map[line]bool{} // an expression may have several
	say := func(in ssa.Instruction, format string, args ...any) *Finding {
		pos, what := c.pos(in), fmt.Sprintf(format, args...)
		if l := (line{c.Fset.Position(pos).Line, what}); !said[l] {
			said[l] = true
			return c.report(pos, "%s", what)
		}
		return nil
	}
	examinePooled(c, say)
	c.instructions(func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Convert:
			if isUnsafe(in.X.Type()) && !isUnsafe(in.Type()) && !isPlatformInt(in.Type()) {
				say(in, "what an unsafe.Pointer leads to is not followed")
			}
		case ssa.CallInstruction:
			switch name := builtin(in.Common()); name {
			case "Slice", "SliceData", "StringData", "Add": // of package unsafe
				say(in, "what unsafe.%s leads to is not followed", name)
			}
		}
		for _, o := range in.Operands(nil) { // called, or used as a value
			fn, ok := (*o).(*ssa.Function)
			if !ok {
				continue
			}
			if pkg, name := nameOf(fn); pkg == "reflect" && reflected[name] != "" {
				say(in, "reflect.%s %s, which only the running program knows", name, reflected[name])
			}
		}
	})
}
