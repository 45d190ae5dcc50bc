package rules

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/tickback/tickback/detlint/internal/flow"
	"github.com/tickback/tickback/detlint/internal/std"
)

// This file examines functions that are called in the body of a loop over a map as if their code were in the loop.

// deepestCall limits how many nested calls are examined.
const deepestCall = 3

// commutes reports whether a function has the same effect for any order of the entries for which it is called, and
// nothing in the loop depends on how often it was called before.
func commutes(l *mapRange, in ssa.Instruction, call *ssa.CallCommon, fn *ssa.Function) bool {
	if len(fn.FreeVars) > 0 {
		return false
	}
	return commutesWith(l, in, call.Args, fn)
}

// allCommute reports whether everything that a call of a function value may reach does the same for any order of the
// entries. Variables that such a function captures existed before the loop, unless the function is made in the loop.
func allCommute(l *mapRange, in ssa.Instruction, call *ssa.CallCommon) bool {
	if call.IsInvoke() || l.c.Flow.Callees == nil {
		return false
	}
	list := l.c.Flow.Callees(call)
	for _, c := range list {
		if c.Fn == nil || c.Fn.Parent() == l.fn || c.Fn.Synthetic != "" || !commutesWith(l, in, call.Args, c.Fn) {
			return false
		}
	}
	return len(list) > 0
}

// commutesWith does what commutes does, with the arguments of the call.
func commutesWith(l *mapRange, in ssa.Instruction, args []ssa.Value, fn *ssa.Function) bool {
	if len(fn.Blocks) == 0 || l.c.depth >= deepestCall || len(args) != len(fn.Params) || !unused(in) {
		return false
	}
	c := *l.c
	c.Fn, c.depth, c.found, c.indexed, c.Syntax = fn, l.c.depth+1, nil, nil, nil
	n := &mapRange{
		c: &c, fn: fn, at: l.at, what: l.what, body: true, blocks: map[*ssa.BasicBlock]bool{},
		derived: map[ssa.Value]bool{}, sums: map[ssa.Value]bool{},
	}
	for _, b := range fn.Blocks {
		n.blocks[b] = true
	}
	for i, x := range args {
		switch {
		case l.isKey(x):
			n.key = fn.Params[i]
			n.entries = append(n.entries, fn.Params[i])
		case l.own(x) || l.derived[x] && !flow.HasPointers(x.Type()):
			n.entries = append(n.entries, fn.Params[i])
		case l.derived[x]: // several entries may lead to the same memory
			return false
		}
	}
	if l.ranged == nil || touches(n, l.ranged.Type()) {
		return false
	}
	n.derive()
	n.accumulations()
	for b := range n.each() {
		for _, in := range b.Instrs {
			n.instruction(in)
		}
	}
	if n.said || observes(l, in, n) {
		return false
	}
	l.effects = true
	return true
}

// unused reports whether the result of a call is not used.
func unused(in ssa.Instruction) bool {
	v, ok := in.(ssa.Value)
	if !ok {
		return true
	}
	for _, r := range *v.Referrers() {
		if _, debug := r.(*ssa.DebugRef); !debug {
			return false
		}
	}
	return true
}

// touches reports whether the body adds entries to a map of a type, or removes some.
func touches(l *mapRange, t types.Type) bool {
	for b := range l.each() {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.MapUpdate:
				if types.Identical(in.Map.Type(), t) {
					return true
				}
			case *ssa.Call:
				if name := builtin(&in.Call); (name == "delete" || name == "clear") && types.Identical(in.Call.Args[0].Type(), t) {
					return true
				}
			}
		}
	}
	return false
}

// observes reports whether anything else in the loop may read what a called function has written.
func observes(l *mapRange, call ssa.Instruction, inner *mapRange) bool {
	var written []ssa.Value
	for b := range inner.each() {
		for _, in := range b.Instrs {
			if s, ok := in.(*ssa.Store); ok && !inner.own(s.Addr) {
				written = append(written, s.Addr)
			}
		}
	}
	for b := range l.each() {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.UnOp:
				for _, addr := range written {
					if in.Op == token.MUL && couldBe(in.X, addr) {
						return true
					}
				}
			case ssa.CallInstruction:
				if in == call || builtin(in.Common()) != "" {
					continue
				}
				for _, x := range in.Common().Args {
					if flow.HasPointers(x.Type()) && !l.own(x) {
						return true
					}
				}
			}
		}
	}
	return false
}

// freshMethod reports whether a call of a method of an interface of the library only changes something that was made
// for the entry, such as a hash.
func freshMethod(l *mapRange, call *ssa.CallCommon) bool {
	if !call.IsInvoke() || call.Method.Pkg() == nil || !std.Known(call.Method.Pkg().Path()) || !l.own(call.Value) {
		return false
	}
	for _, x := range call.Args {
		if flow.HasPointers(x.Type()) && !l.own(x) {
			return false
		}
	}
	return true
}

// freshPrint reports whether a call prints numbers and strings into something that was made for the entry.
func freshPrint(l *mapRange, call *ssa.CallCommon) bool {
	pkg, name := called(call)
	if pkg != "fmt" || name != "Fprint" && name != "Fprintln" && name != "Fprintf" || !l.own(call.Args[0]) {
		return false
	}
	for _, v := range flow.Variadic(call.Args[len(call.Args)-1]) {
		if m, ok := v.(*ssa.MakeInterface); !ok || flow.HasPointers(m.X.Type()) {
			return false
		}
	}
	return true
}

// writesToOwn reports whether a function of the library writes to something that was made for the entry, such as a
// hash.
func writesToOwn(l *mapRange, call *ssa.CallCommon) bool {
	switch pkg, name := called(call); pkg + "." + name {
	case "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln", "io.WriteString", "encoding/binary.Write":
		return l.own(call.Args[0])
	}
	return false
}
