package rules

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

var concurrency = &Rule{
	Name: "concurrency", Short: "goroutines, channels, select, locks and atomics", Duty: "Goroutines and select",
	Fix: "do the work in the step itself, one piece after the other", examine: examineConcurrency,
}

func examineConcurrency(c *Context) {
	fromLibrary(c)
	stages(c)
	c.instructions(func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Go:
			c.report(in.Pos(), "it starts a goroutine, and the scheduler decides when that runs")
		case *ssa.Select:
			c.report(in.Pos(), "select takes any of the cases that are ready")
		case *ssa.Send:
			c.report(in.Pos(), "it sends on a channel: who receives, and when, is up to the scheduler")
		case *ssa.MakeChan:
			c.report(in.Pos(), "it makes a channel, which only goroutines need")
		case *ssa.UnOp:
			if in.Op == token.ARROW {
				c.report(in.Pos(), "it receives from a channel: what comes, and when, is up to the scheduler")
			}
		case ssa.CallInstruction:
			switch call := in.Common(); {
			case builtin(call) == "close":
				c.report(in.Pos(), "it closes a channel, and panics when the frame is simulated again")
			case builtin(call) == "len" && isChannel(call.Args[0].Type()):
				c.report(in.Pos(), "it asks how many values wait in a channel, which is up to the scheduler")
			}
		}
	})
}

func isChannel(t types.Type) bool {
	_, is := t.Underlying().(*types.Chan)
	return is
}
