package flow

import (
	"math/bits"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Region is a set of memory, as seen from one function.
type Region struct {
	Params  uint64        // bit i: what parameter i leads to; the receiver is parameter 0
	Free    uint64        // bit i: what captured variable i leads to, itself included
	Globals []*ssa.Global // including what they lead to
	Locals  []*ssa.Alloc  // variables of the function itself
}

// maxBits limits how many parameters and captured variables are distinguished; further ones share the last bit.
const maxBits = 63

func bit(i int) uint64 { return 1 << min(i, maxBits) }

// Outer reports whether the region contains anything that existed before the call.
func (r Region) Outer() bool { return r.Params != 0 || r.Free != 0 || len(r.Globals) > 0 }

// Empty reports whether the region only contains memory that was allocated in the function and is not one of its
// variables.
func (r Region) Empty() bool { return !r.Outer() && len(r.Locals) == 0 }

// size returns a measure that grows with the contents of a region.
func (r Region) size() int {
	return bits.OnesCount64(r.Params) + bits.OnesCount64(r.Free) + len(r.Globals) + len(r.Locals)
}

// union adds a region.
func (r *Region) union(o Region) {
	r.Params |= o.Params
	r.Free |= o.Free
	for _, g := range o.Globals {
		if !slices.Contains(r.Globals, g) {
			r.Globals = append(slices.Clip(r.Globals), g)
		}
	}
	for _, a := range o.Locals {
		if !slices.Contains(r.Locals, a) {
			r.Locals = append(slices.Clip(r.Locals), a)
		}
	}
}

// Overlaps reports whether two regions have something in common.
func (r Region) Overlaps(o Region) bool {
	return r.Params&o.Params != 0 || r.Free&o.Free != 0 ||
		slices.ContainsFunc(r.Globals, func(g *ssa.Global) bool { return slices.Contains(o.Globals, g) }) ||
		slices.ContainsFunc(r.Locals, func(a *ssa.Alloc) bool { return slices.Contains(o.Locals, a) })
}
