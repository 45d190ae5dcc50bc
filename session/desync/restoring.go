package desync

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/wire/agreed"
)

// restoring restores a past state in slices, so that the match can go on meanwhile. It is a coroutine that stops once
// it has done enough work for a tick period. How much that is depends on what the game counts, not on a clock.
type restoring struct {
	state uint32
	done  bool
	found answer // about the state, once that is done
	view  view   // of the state, unless it could not be restored

	refused string // the newest snapshot that the game rejected, and why; empty: none
	pauses  bool   // the game can be interrupted
	work    int    // done in this slice
	resume  func() (struct{}, bool)
	stop    func()
	yield   func(struct{}) bool
}

const (
	// maxTries is the maximum number of snapshots to try. If the game rejects one, it usually accepts one from before
	// the difference; a build that can read no snapshot would reject them all.
	maxTries = 4
	// framesAtOnce is how many frames are simulated per slice if the game's states are small.
	framesAtOnce = 4
	// smallState is the maximum size of a small state, in bytes. With larger ones, frames are simulated one at a
	// time if they cannot be interrupted.
	smallState = 64 << 10
	// workAtOnce is about how much work is done per slice if frames can be interrupted: half a millisecond on a
	// processor that computes a tick of 10,000 units in 3.
	workAtOnce = 2400
)

// begin starts to restore a state, and runs the first slice.
func (r *restoring) begin(e *Evidence, g Game, state uint32) {
	r.end()
	r.state = state
	// The two take turns: only one runs at a time.
	r.resume, r.stop = iter.Pull(func(yield func(struct{}) bool) {
		r.yield = yield
		defer func() {
			if p := recover(); p != nil && p != errStopped {
				panic(p)
			}
		}()
		if err := r.run(e, g); err != nil {
			r.fail(err.Error())
		}
	})
	r.slice()
}

// slice continues for one slice.
func (r *restoring) slice() {
	if r.state == 0 || r.done {
		return
	}
	r.work = 0
	if _, more := r.resume(); !more {
		r.done, r.yield = true, nil
	}
}

// end discards everything, including a frame that was interrupted.
func (r *restoring) end() {
	if r.stop != nil {
		r.stop()
	}
	*r = restoring{}
}

// errStopped is the panic value of a simulation that is no longer needed.
var errStopped = errors.New("desync: the simulation is not needed any more")

// rest ends a slice.
func (r *restoring) rest() {
	if !r.yield(struct{}{}) { //detlint:ignore unproved it interrupts a step, which goes on later or never, and gives it nothing
		panic(errStopped)
	}
}

// pause interrupts the game if it has done enough work; what shows a state that is restored is not interrupted.
func (r *restoring) pause(work int) {
	if r.work += work; r.work >= workAtOnce && r.yield != nil { //detlint:ignore closure it counts the work of a simulation that is run apart, and gives it nothing
		r.rest()
	}
}

// guard turns a panic of the game into an error: code that runs for the first time in a sandbox must not end the
// match.
func guard(do func() error) (err error) {
	defer func() {
		switch p := recover(); p { //detlint:ignore address it is what a report says
		case nil:
		case errStopped:
			panic(p)
		default:
			err = fmt.Errorf("the game panicked: %v", p)
		}
	}()
	return do()
}

// run simulates from the newest snapshot that the game accepts.
func (r *restoring) run(e *Evidence, g Game) error {
	hash, held := e.HashOf(r.state)
	if !held {
		return errors.New("its hash is no longer held")
	}
	l, newest := layoutOf(g), r.state
	for range maxTries {
		base, ok := e.snapshots.at(newest)
		if !ok {
			break
		}
		if base.state == r.state && l.scalar != nil {
			r.succeed(base.state, hash, xxh3.Hash(base.bytes), &plainView{l, base.bytes})
			return nil
		}
		box, err := r.sandbox(g)
		if err != nil {
			return err
		}
		r.rest() // creating a sandbox was enough for this slice
		err = guard(func() error { return box.Unmarshal(base.bytes) })
		r.rest() // and so was loading a state
		if err == nil {
			return r.simulate(e, box, base, hash, l)
		}
		if r.refused == "" {
			r.refused = cutText(fmt.Sprintf("state %d was refused: %v", base.state, err), maxWhy)
		}
		if newest = base.state - 1; base.state == 0 {
			break
		}
	}
	if r.refused == "" {
		return errors.New("no snapshots are kept")
	}
	return errors.New(r.refused)
}

// sandbox creates a sandbox.
func (r *restoring) sandbox(g Game) (box Sandbox, err error) {
	err = guard(func() (err error) {
		if box, err = g.Sandbox(); err == nil {
			p, ok := box.(Pausing)
			r.pauses = ok && p.Pausing(r.pause)
		}
		return err
	})
	return box, err
}

// simulate simulates from a snapshot, which is loaded, and examines the state that results.
func (r *restoring) simulate(e *Evidence, box Sandbox, base snapshot, hash uint64, l layout) error {
	cost := workAtOnce / framesAtOnce // even if there is nothing to do in a frame
	if !r.pauses && len(base.bytes) > smallState {
		cost = workAtOnce
	}
	for at := base.state; at < r.state; at++ {
		if r.work >= workAtOnce {
			r.rest()
		}
		f := lasting(e.inputs.Frame(at))
		if f == nil {
			return fmt.Errorf("the inputs of frame %d are no longer held", at)
		}
		if err := guard(func() error { return box.Step(f) }); err != nil {
			return err
		}
		r.work += cost
	}
	if r.work > 0 {
		r.rest() // hashing the whole state takes a slice of its own
	}
	var now uint64
	var w view
	err := guard(func() (err error) {
		if now, err = box.Hash(); err == nil && now == hash {
			w, err = viewOf(box, l)
		}
		return err
	})
	if err == nil {
		r.succeed(base.state, hash, now, w)
	}
	return err
}

// lasting returns a copy of a frame that stays valid while it is interrupted.
func lasting(f *agreed.Frame) *agreed.Frame {
	if f == nil {
		return nil
	}
	g := *f
	g.Inputs, g.Orders = bytes.Clone(f.Inputs), slices.Clone(f.Orders)
	for i, o := range g.Orders {
		g.Orders[i] = bytes.Clone(o)
	}
	return &g
}

// succeed records that there is a state again, with the hash now; in the match it had another hash or the same.
func (r *restoring) succeed(base uint32, hash, now uint64, w view) {
	r.found = answer{step: askState, source: Resimulated, base: base, hash: now, why: []byte(r.refused)}
	switch {
	case now != hash:
		r.found.source = NotReproduced
		return
	case base == r.state:
		r.found.source = Original
	}
	r.view, r.found.depth = w, uint8(w.depth())
}

// fail records that the state cannot be restored.
func (r *restoring) fail(why string) {
	if r.refused != "" && why != r.refused {
		why = r.refused + "; " + why
	}
	r.found = answer{step: askState, source: Unavailable, why: []byte(cutText(why, maxWhy))}
}
