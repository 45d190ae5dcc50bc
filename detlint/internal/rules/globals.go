package rules

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
	"github.com/tickback/tickback/detlint/internal/std"
)

var globals = &Rule{
	Name: "globals", Short: "package variables that change while a match runs", Duty: "Variables of the package",
	Fix: "make it a field of the state, or a table that nothing writes to after the start of the program", examine: examineGlobals,
}

// examineGlobals reports writes to package variables, reads of those that something else may write to, once for each
// variable of a function, and code that makes them a part of a state that is written.
func examineGlobals(c *Context) {
	if c.Fn.Name() == "init" && c.Fn.Synthetic != "" {
		return
	}
	examineStored(c)
	said := []string{}
	for _, w := range c.writes() {
		if !slices.Contains(said, w.global) && w.in != nil {
			said = append(said, w.global)
			f := c.report(c.pos(w.in), "it changes the package variable %s, which is not restored when the state goes back", last(w.global))
			f.Global = w.global // it does not count if that only happens at the start of the program
		}
	}
	c.instructions(func(in ssa.Instruction) {
		for _, o := range in.Operands(nil) {
			g, ok := (*o).(*ssa.Global)
			if !ok || g.Pkg == nil || std.Known(g.Pkg.Pkg.Path()) || slices.Contains(said, g.String()) || g.Name() == "init$guard" {
				continue
			}
			said = append(said, g.String())
			f := c.report(c.pos(in), "it reads the package variable %s, which is changed elsewhere and is not part of the state", g.Name())
			f.Global = g.String()
		}
	})
}

// written is a place that may change a package variable.
type written struct {
	global string
	in     ssa.Instruction
}

// writes returns the places of a function that may change package variables, or memory to which they refer. Effects of
// a callee whose code is known are found there.
func (c *Context) writes() (list []written) {
	add := func(in ssa.Instruction, r flow.Region) {
		for _, g := range r.Globals {
			if g.Pkg != nil && !std.Known(g.Pkg.Pkg.Path()) {
				list = append(list, written{g.String(), in})
			}
		}
	}
	c.instructions(func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Store:
			add(in, c.Flow.Of(in.Addr))
		case *ssa.MapUpdate:
			add(in, c.Flow.Of(in.Map))
		case *ssa.MakeClosure: // that captures memory of a package variable
			add(in, c.Flow.Changes(in))
		case ssa.CallInstruction:
			call := in.Common()
			if name := builtin(call); name == "copy" || name == "delete" || name == "clear" {
				add(in, c.Flow.Of(call.Args[0]))
				return
			}
			if fn := call.StaticCallee(); fn != nil {
				if pkg, name := nameOf(fn); std.Lookup(pkg, name).Kind == std.Refused || pkg == "sync" || std.Trusted(pkg) {
					return // another rule reports it
				}
			}
			if g := pulled(call.Value); g != nil {
				add(in, flow.Region{Globals: []*ssa.Global{g}})
			}
			c.Flow.Each(call, func(t flow.Traits, args []ssa.Value) {
				for i, x := range args {
					if t.WritesTo(i) {
						add(in, c.Flow.Of(x))
					}
				}
			})
		}
	})
	return list
}

// pulled returns the package variable from which a function is read, if its declaration sets it to one of the two
// functions that iter.Pull returns: each call of it advances the iterator.
func pulled(v ssa.Value) *ssa.Global {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return nil
	}
	g, ok := load.X.(*ssa.Global)
	if !ok || g.Pkg == nil || g.Pkg.Func("init") == nil {
		return nil
	}
	found := false
	instructionsOf(g.Pkg.Func("init"), func(in ssa.Instruction) {
		s, ok := in.(*ssa.Store)
		if !ok || s.Addr != ssa.Value(g) {
			return
		}
		if e, ok := s.Val.(*ssa.Extract); ok {
			if call, ok := e.Tuple.(*ssa.Call); ok {
				pkg, name := called(&call.Call)
				found = found || pkg == "iter" && (name == "Pull" || name == "Pull2")
			}
		}
	})
	if !found {
		return nil
	}
	return g
}

// Writes returns the package variables that a function may change, each once, with a position.
func Writes(c Context) map[string]token.Pos {
	found := map[string]token.Pos{}
	for _, w := range c.writes() {
		if _, ok := found[w.global]; !ok {
			found[w.global] = c.pos(w.in)
		}
	}
	return found
}

// last returns the part of a name after its package.
func last(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			return name[i+1:]
		}
	}
	return name
}
