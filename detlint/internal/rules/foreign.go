package rules

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/std"
)

var foreign = &Rule{
	Name: "foreign", Short: "cgo, assembly and linkname: code that cannot be read here",
	Fix: "write it in Go, or give a reason with //detlint:ignore", examine: examineForeign,
}

// examineForeign reports uses of functions whose bodies are not written in Go.
func examineForeign(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		for _, o := range in.Operands(nil) { // called, or used as a value
			fn, ok := (*o).(*ssa.Function)
			if !ok {
				continue
			}
			if name, ok := CName(fn); ok {
				c.report(c.pos(in), "C.%s is not Go, so what it does is unknown", name)
			} else if pkg, name := nameOf(fn); Bodyless(fn) && !std.Known(pkg) {
				c.report(c.pos(in), "%s has no body in Go (assembly, cgo or linkname), so what it does is unknown", name)
			}
		}
	})
}

// CName returns the name of a function of C, if fn was made by cgo to call one.
func CName(fn *ssa.Function) (name string, ok bool) {
	for _, prefix := range []string{"_Cfunc_", "_C2func_"} {
		if name, ok = strings.CutPrefix(fn.Name(), prefix); ok {
			return name, true
		}
	}
	return "", false
}

// Bodyless reports whether a function has no body, although the source of its package is in the program.
func Bodyless(fn *ssa.Function) bool {
	if fn.Origin() != nil || len(fn.Blocks) > 0 || fn.Synthetic != "" {
		return false
	}
	return fn.Syntax() != nil
}
