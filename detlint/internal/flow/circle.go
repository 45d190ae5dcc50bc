package flow

import (
	"math"
	"math/bits"

	"golang.org/x/tools/go/ssa"
)

// known is the current knowledge about a function.
type known struct {
	traits Traits
	state  state
	low    int // if preliminary: the lowest function in the stack to which it leads back
	round  int // the round in which it was made
}

type state uint8

const (
	preliminary state = iota // it leads back to a function that is being read
	reading
	final
)

// circle handles functions that call each other recursively: they are read again and again, until that adds
// nothing more.
type circle struct {
	depth   int // the depth of nested calls among the functions being read
	low     int // the lowest of them that was called since then
	round   int
	changed bool // something was added in this round
	waiting []*known
}

// Traits returns the traits of fn.
func (a *Analysis) Traits(fn *ssa.Function) Traits {
	k := a.traits[fn]
	if k == nil {
		k = new(known)
		a.traits[fn] = k
		if len(fn.Blocks) == 0 {
			k.state = final
			var ok bool
			if k.traits, ok = a.Elsewhere(fn); !ok {
				k.traits = Unknown
			}
		}
	}
	c := &a.circle
	switch {
	case k.state == final:
	case k.state == reading, k.round == c.round && k.low != 0:
		c.low = min(c.low, k.low)
	default:
		a.read(fn, k)
	}
	return k.traits
}

// read determines the traits of a function, and for the first function of a circle those of all its functions.
func (a *Analysis) read(fn *ssa.Function, k *known) {
	c := &a.circle
	outer, changed := c.low, c.changed
	c.depth++
	k.state, k.low = reading, c.depth
	waiting := len(c.waiting)
	for {
		c.low = math.MaxInt
		c.changed = false
		a.scan(fn, k)
		if c.low != c.depth || !c.changed {
			break
		}
		c.round++
		c.waiting = c.waiting[:waiting]
	}
	if c.low < c.depth {
		k.state, k.low, k.round = preliminary, c.low, c.round
		c.waiting = append(c.waiting, k)
		changed = changed || c.changed
	} else {
		k.state = final
		for _, w := range c.waiting[waiting:] {
			w.state = final
		}
		c.waiting = c.waiting[:waiting]
		c.low = math.MaxInt
	}
	c.depth--
	c.low, c.changed = min(c.low, outer), changed
}

// scan adds the effects of a function's instructions.
func (a *Analysis) scan(fn *ssa.Function, k *known) {
	f := a.function(fn)
	clear(f.regions)
	before := k.traits.size()
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			a.instruction(f, &k.traits, in)
		}
	}
	a.arithmetic(fn, &k.traits)
	a.circle.changed = a.circle.changed || k.traits.size() != before
}

// size returns a measure that grows with each addition to the traits.
func (t *Traits) size() int {
	n := len(t.Globals) + len(t.ReturnsGlobals)
	for _, b := range []uint64{t.Writes, t.Keeps, t.Returns, t.FreeWrites, t.ReturnsFree, t.Prints, t.Products, t.Sums} {
		n += bits.OnesCount64(b)
	}
	for _, b := range []bool{t.Effects, t.Dynamic} {
		if b {
			n++
		}
	}
	return n
}
