package rules

import (
	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/std"
)

var foreign = &Rule{
	Name: "foreign", Short: "cgo, assembly and linkname: code that cannot be read here",
	Fix: "write it in Go, or give a reason with //detlint:ignore", examine: examineForeign,
}

// examineForeign reports calls of functions whose bodies are in no Go file.
func examineForeign(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		call, ok := in.(ssa.CallInstruction)
		if !ok {
			return
		}
		fn := call.Common().StaticCallee()
		if fn == nil || len(fn.Blocks) > 0 {
			return
		}
		if pkg, name := nameOf(fn); Bodyless(fn) && !std.Known(pkg) {
			c.report(call.Pos(), "%s has no body in Go (assembly, cgo or linkname), so what it does is unknown", name)
		}
	})
}

// Bodyless reports whether a function of a package whose source is here has no body.
func Bodyless(fn *ssa.Function) bool {
	if fn.Origin() != nil || len(fn.Blocks) > 0 || fn.Synthetic != "" {
		return false
	}
	return fn.Syntax() != nil
}
