package rules

import (
	"go/token"

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
		}
	})
}
