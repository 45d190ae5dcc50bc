package rules

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/std"
)

// The rules about calls of the standard library in a step. The tables of package std say which rule a function
// breaks, and each rule uses this examination for its own functions.
var (
	clock = &Rule{
		Name: "clock", Short: "the clock, timers and deadlines", Duty: "The clock",
		Fix: "count frames: t.Frame() is the only time that all machines share", examine: fromLibrary,
	}
	random = &Rule{
		Name: "random", Short: "random numbers from outside of the state", Duty: "Random numbers",
		Fix: "keep a generator of package rng in the state, seeded from the parameters of the match", examine: fromLibrary,
	}
	environment = &Rule{
		Name: "environment", Short: "environment, files, flags, network, processes, locale", Duty: "Environment and files",
		Fix: "put what all machines need into the parameters of the match, and from there into state 0", examine: examineEnvironment,
	}
	machine = &Rule{
		Name: "machine", Short: "processors, memory and other facts about the machine or the process", Duty: "The number of processors",
		Fix: "use a number of the game", examine: examineMachine,
	}
	maphash = &Rule{
		Name: "maphash", Short: "hashes with a seed of the process", Duty: "Seeded hashes",
		Fix: "use canon, or a hash with a definition, such as hash/fnv", examine: fromLibrary,
	}
	collector = &Rule{
		Name: "collector", Short: "what depends on the garbage collector: pools, finalizers, weak pointers", Duty: "Pools",
		Fix: "use memory of the step or of the state", examine: examineCollector,
	}
	output = &Rule{
		Name: "output", Short: "printing and logging in a step", Duty: "Side effects",
		Fix: "emit an effect (t.Effects()), or log what is agreed, outside of the step", examine: examineOutput,
	}
	mathfunc = &Rule{
		Name: "mathfunc", Short: "functions of math whose last bits differ", Duty: "Functions of math",
		Fix: "use package portable, or fixed", examine: fromLibrary, build: true,
	}
	unlisted = &Rule{
		Name: "unlisted", Short: "a function of the standard library that nobody has judged",
		Fix: "use one that is in the table, or give a reason with //detlint:ignore", examine: fromLibrary,
	}
)

// fromLibrary reports calls and uses of functions that the tables refuse by the rule.
func fromLibrary(c *Context) {
	c.instructions(func(in ssa.Instruction) {
		if call, ok := in.(ssa.CallInstruction); ok {
			if fn := call.Common().StaticCallee(); fn != nil && !intoMemory(call.Common()) && !inUTC(call.Common()) && !keptAddress(call) {
				c.judge(call.Pos(), fn)
			} else if call.Common().IsInvoke() {
				invoked(c, call)
			}
		}
		for _, o := range in.Operands(nil) {
			c.operand(in, *o)
		}
	})
}

// inUTC reports whether a method of a time is called on one in UTC, which no machine converts to its own zone.
func inUTC(call *ssa.CallCommon) bool {
	pkg, name := called(call)
	if pkg != "time" || !strings.HasPrefix(name, "Time.") || len(call.Args) == 0 {
		return false
	}
	made, ok := call.Args[0].(*ssa.Call)
	if !ok {
		return false
	}
	pkg, name = called(&made.Call)
	return pkg == "time" && name == "Time.UTC"
}

// operand examines functions that are used as values, and variables of the library.
func (c *Context) operand(in ssa.Instruction, v ssa.Value) {
	switch v := v.(type) {
	case *ssa.Function:
		if call, ok := in.(ssa.CallInstruction); !ok || call.Common().Value != v {
			c.judge(c.pos(in), v)
		}
	case *ssa.Global:
		if v.Pkg != nil && std.Known(v.Pkg.Pkg.Path()) {
			c.refused(c.pos(in), v.Pkg.Pkg.Path(), v.Name())
		}
	}
}

// invoked reports a method of an interface of the library that the tables refuse, such as context.Context and
// net.Conn.
func invoked(c *Context, call ssa.CallInstruction) {
	pkg, name := FuncName(call.Common().Method)
	if pkg != "" && std.Known(pkg) && std.Lookup(pkg, name).Kind == std.Refused {
		c.refused(call.Pos(), pkg, name)
	}
}

// judge reports a function that the tables refuse by the rule.
func (c *Context) judge(pos token.Pos, fn *ssa.Function) {
	pkg, name := nameOf(fn)
	if pkg == "" || len(fn.Blocks) > 0 && !std.Known(pkg) {
		return
	}
	if f := c.refused(pos, pkg, name); f != nil && pkg == "math" && portableHas(name) {
		editor{c}.replace(f, fn, pos, portable, name)
	}
}

// refused reports a function, or a variable, if the tables refuse it by the rule.
func (c *Context) refused(pos token.Pos, pkg, name string) *Finding {
	if own := declared(c.Fn); own != nil && own.Pkg.Path() == pkg {
		return nil
	}
	v := std.Lookup(pkg, name)
	shown := pkg[strings.LastIndex(pkg, "/")+1:] + "." + name
	switch {
	case v.Kind == std.Refused && v.Rule == c.rule.Name:
		f := c.report(pos, "%s: %s", shown, v.Reason)
		f.Fix = Instead(pkg, name)
		return f
	case v.Kind == std.Unlisted && c.rule.Name == "unlisted" && std.Known(pkg):
		return c.report(pos, "%s.%s is not in the table of what a step may use of %s", pkg, name, std.Version)
	}
	return nil
}

// examineOutput also finds the built-in print functions, and printing to a writer that is not known to be memory.
func examineOutput(c *Context) {
	fromLibrary(c)
	c.instructions(func(in ssa.Instruction) {
		if call, ok := in.(ssa.CallInstruction); ok {
			if name := builtin(call.Common()); name == "print" || name == "println" {
				c.report(call.Pos(), "%s: it is written again each time that a frame is simulated again", name)
			}
			if pkg, name := called(call.Common()); pkg == "fmt" && strings.HasPrefix(name, "Fprint") && !toMemory(call.Common().Args[0]) {
				c.report(call.Pos(), "fmt.%s: it is written again each time that a frame is simulated again, also for frames that never happened", name)
			}
		}
	})
}

// toMemory reports whether a writer is known, and does not write to anything outside the program: a hash does not. (The
// methods of others are examined where they are.)
func toMemory(w ssa.Value) bool {
	if i, ok := w.(*ssa.ChangeInterface); ok {
		n := named(i.X.Type())
		return n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "hash"
	}
	m, ok := w.(*ssa.MakeInterface)
	if !ok {
		return false
	}
	n := named(m.X.Type())
	return n == nil || n.Obj().Pkg() == nil || std.Lookup(n.Obj().Pkg().Path(), n.Obj().Name()+".Write").Kind != std.Refused
}

// intoMemory reports whether a call prints into a buffer, which is ordinary memory.
func intoMemory(call *ssa.CallCommon) bool {
	pkg, name := called(call)
	if pkg != "fmt" || name != "Fprint" && name != "Fprintln" && name != "Fprintf" {
		return false
	}
	m, ok := call.Args[0].(*ssa.MakeInterface)
	return ok && (isNamed(m.X.Type(), "strings", "Builder") || isNamed(m.X.Type(), "bytes", "Buffer"))
}

// examineEnvironment also finds times in the zone of the machine, except those for which the zone has no effect.
func examineEnvironment(c *Context) {
	fromLibrary(c)
	c.instructions(func(in ssa.Instruction) {
		for _, o := range in.Operands(nil) {
			fn, ok := (*o).(*ssa.Function)
			if !ok {
				continue
			}
			pkg, name := nameOf(fn)
			if pkg != "time" || name != "Unix" && name != "UnixMilli" && name != "UnixMicro" {
				continue
			}
			if call, ok := in.(*ssa.Call); !ok || call.Call.Value != ssa.Value(fn) || !moment(call) {
				c.report(c.pos(in), "time.%s: its result is in the time zone of the machine", name)
			}
		}
	})
}

// moment reports whether a time is only used in ways that do not depend on its zone.
func moment(t *ssa.Call) bool {
	for _, r := range *t.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		call, ok := r.(*ssa.Call)
		if !ok {
			return false
		}
		pkg, name := called(&call.Call)
		switch pkg + "." + name {
		case "time.Time.UTC", "time.Time.Unix", "time.Time.UnixMilli", "time.Time.UnixMicro", "time.Time.UnixNano", "time.Time.Before",
			"time.Time.After", "time.Time.Equal", "time.Time.Compare", "time.Time.Sub", "time.Time.IsZero":
		case "time.Time.Add", "time.Time.Round", "time.Time.Truncate":
			if !moment(call) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
