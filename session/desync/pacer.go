package desync

import (
	"bytes"
	"errors"
	"iter"
	"slices"

	"github.com/tickback/tickback/wire/agreed"
)

// Limits on the work per tick period, so that the match can go on meanwhile.
const (
	// framesAtOnce is how many frames are simulated per slice if the game's states are small.
	framesAtOnce = 4
	// smallState is the maximum size of a small state, in bytes. With larger ones, frames are simulated one at a
	// time if they cannot be interrupted.
	smallState = 64 << 10
	// workAtOnce is about how much work is done per slice if frames can be interrupted: half a millisecond on a
	// processor that computes a tick of 10,000 units in 3.
	workAtOnce = 2400
)

// pacer simulates frames in slices. A frame that can be interrupted runs as a coroutine: it stops at a point where
// the game allows that, once it has done enough work. The work in a slice depends on what the game counts, not on a
// clock.
type pacer struct {
	sandbox Sandbox
	pauses  bool // frames can be interrupted
	frames  int  // for other frames: how many per slice

	resume func() (struct{}, bool) // continues what was interrupted; nil if nothing was
	stop   func()
	yield  func(struct{}) bool
	done   int // work in this slice
	err    error
}

// begin prepares to simulate frames from a state of size bytes.
func (p *pacer) begin(sandbox Sandbox, size int) {
	p.end()
	p.sandbox, p.frames = sandbox, framesAtOnce
	if size > smallState {
		p.frames = 1
	}
	if s, ok := sandbox.(Pausing); ok {
		p.pauses = s.Pausing(p.pause)
	}
}

// errStopped is the panic value of a step that is no longer needed.
var errStopped = errors.New("desync: the simulation is not needed any more")

// pause interrupts a step that has done enough work.
func (p *pacer) pause(work int) {
	if p.done += work; p.done < workAtOnce || p.yield == nil { //detlint:ignore closure it counts the work of a simulation that is run apart, and gives it nothing
		return
	}
	if !p.yield(struct{}{}) { //detlint:ignore unproved it interrupts a step, which goes on later or never, and gives it nothing
		panic(errStopped)
	}
}

// slice begins another slice.
func (p *pacer) slice() { p.done = 0 }

// full reports whether enough work was done in this slice.
func (p *pacer) full() bool { return p.done >= workAtOnce }

// load makes an encoded state the live one, or continues doing that after an interruption, and reports whether it
// has finished.
func (p *pacer) load(encoded []byte) (ended bool, err error) {
	return p.goOn(func() error { return p.sandbox.Unmarshal(encoded) }, workAtOnce)
}

// step simulates a frame, or continues the one that was interrupted, and reports whether it has finished.
func (p *pacer) step(f *agreed.Frame) (ended bool, err error) {
	if !p.pauses {
		return p.goOn(func() error { return p.sandbox.Step(f) }, workAtOnce/p.frames)
	}
	if p.resume == nil {
		f = lasting(f)
	}
	// A frame costs something, even if there is nothing to do in it.
	return p.goOn(func() error { return p.sandbox.Step(f) }, workAtOnce/framesAtOnce)
}

// goOn starts or continues do, which counts as this much additional work at its end.
func (p *pacer) goOn(do func() error, work int) (ended bool, err error) {
	if !p.pauses {
		p.done += work
		return true, guard(do)
	}
	if p.resume == nil {
		p.run(do)
	}
	if _, more := p.resume(); more {
		return false, nil
	}
	p.done += work
	p.resume, p.stop, p.yield = nil, nil, nil
	return true, p.err
}

// run creates a coroutine for do.
func (p *pacer) run(do func() error) {
	// The two take turns: only one runs at a time.
	p.resume, p.stop = iter.Pull(func(yield func(struct{}) bool) {
		p.yield = yield
		p.err = guard(do)
	})
}

// lasting returns a copy of a frame that stays valid while it is interrupted.
func lasting(f *agreed.Frame) *agreed.Frame {
	g := *f
	g.Inputs, g.Orders = bytes.Clone(f.Inputs), slices.Clone(f.Orders)
	for i, o := range g.Orders {
		g.Orders[i] = bytes.Clone(o)
	}
	return &g
}

// end discards a frame that was interrupted.
func (p *pacer) end() {
	if p.stop != nil {
		p.stop()
	}
	*p = pacer{}
}
