package rules

import (
	"iter"

	"golang.org/x/tools/go/ssa"
)

// guards yields the conditions that determine whether a block is reached, the nearest first, and whether they must
// be true.
func guards(b *ssa.BasicBlock) iter.Seq2[*ssa.If, bool] {
	return func(yield func(cond *ssa.If, then bool) bool) {
		for child, d := b, b.Idom(); d != nil; child, d = d, d.Idom() {
			cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
			if !ok {
				continue
			}
			for i, s := range d.Succs {
				if len(s.Preds) == 1 && s.Dominates(child) && !yield(cond, i == 0) {
					return
				}
			}
		}
	}
}
