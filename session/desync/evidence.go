package desync

import (
	"math/bits"

	"github.com/tickback/tickback/wire/agreed"
)

// Config is what an [Evidence] is about.
type Config struct {
	Shape     agreed.Shape
	HashEvery uint32 // states are hashed in this interval, in frames; 0: none are
	Every     uint32 // and compared in this one, a multiple of it
	// Budget is how many bytes the snapshots and the inputs may take; 0: nothing is
	// kept at all.
	Budget int
	// Marshals says that states can be encoded, and Slow that this is expensive.
	Marshals, Slow bool
}

// Inputs are the newest agreed frames of the match, from First on, before Next.
type Inputs interface {
	First() uint32
	Next() uint32
	// Frame returns one of them, valid until the next call, or nil.
	Frame(n uint32) *agreed.Frame
	// Forget drops the frames before one.
	Forget(before uint32)
	// Freeze keeps all that are held: further ones are held as far as there is room.
	Freeze()
}

const (
	// InputShare is the part of a budget that the inputs may take.
	InputShare = 4
	// inputsBefore is how many frames of inputs are kept before the last comparison
	// that was equal, for the report.
	inputsBefore = 120
	// leastHashes and mostHashes bound the hashes that are kept: a quarter of a
	// minute at the usual rate, or four comparisons.
	leastHashes, mostHashes = 1 << 10, 1 << 17
)

// Evidence is what a peer keeps of a match to explain a desync: the hashes of the
// agreed states and their inputs, back to the last state in which all peers were the
// same, and snapshots. In the steady state it allocates nothing.
type Evidence struct {
	cfg    Config
	on     bool
	frozen bool

	hashes  []uint64 // of states, by number / HashEvery, in a ring
	count   uint32   // of hashes so far
	hashed  uint32   // the state of the newest; 0: none
	stopped bool     // a hash found no room

	horizon   uint32 // the newest state in which all peers were the same
	inputs    Inputs
	snapshots snapshots
}

// Init sets up, or with a budget of 0 switches off.
func (e *Evidence) Init(cfg Config, inputs Inputs) {
	*e = Evidence{cfg: cfg, inputs: inputs, snapshots: snapshots{off: true, next: None}}
	if cfg.Budget <= 0 || cfg.HashEvery == 0 || cfg.Every == 0 {
		return
	}
	e.on = true
	n := min(max(4*uint64(cfg.Every/cfg.HashEvery), leastHashes), mostHashes)
	e.hashes = make([]uint64, 1<<bits.Len64(n-1))
	e.Reset()
}

// On reports whether anything is kept.
func (e *Evidence) On() bool { return e.on }

// Reset begins with another match. Memory is used again.
func (e *Evidence) Reset() {
	if !e.on {
		return
	}
	e.frozen, e.stopped, e.count, e.hashed, e.horizon = false, false, 0, 0, 0
	e.snapshots.reset(&e.cfg)
}

// Hash takes the hash of the next agreed state that has one.
func (e *Evidence) Hash(state uint32, hash uint64) {
	if e.stopped {
		return
	}
	if e.frozen && state-e.horizon >= uint32(len(e.hashes))*e.cfg.HashEvery {
		e.stopped = true
		return
	}
	e.count++
	e.hashes[e.count&uint32(len(e.hashes)-1)] = hash
	e.hashed = state
}

// HashOf returns the hash of an agreed state, if it is held.
func (e *Evidence) HashOf(state uint32) (uint64, bool) {
	if !e.on || state > e.hashed || state%e.cfg.HashEvery != 0 {
		return 0, false
	}
	back := (e.hashed - state) / e.cfg.HashEvery
	if back >= min(e.count, uint32(len(e.hashes))) {
		return 0, false
	}
	return e.hashes[(e.count-back)&uint32(len(e.hashes)-1)], true
}

// Wants reports whether a final state should be given to Keep.
func (e *Evidence) Wants(state uint32) bool { return state == e.snapshots.next }

// Buffer returns memory for the encoding of a state that is wanted, to append to.
func (e *Evidence) Buffer() []byte { return e.snapshots.buffer() }

// Keep takes the encoding of a state that is wanted, in the memory of Buffer. They
// come in order.
func (e *Evidence) Keep(state uint32, encoded []byte) { e.snapshots.keep(state, encoded, e.frozen) }

// Cannot says that a state cannot be encoded, and none will be.
func (e *Evidence) Cannot() { e.snapshots.stop() }

// Verified says that all peers have been in the same states up to this one. What is
// older is forgotten, but for some frames. Wants has been asked about the states up
// to newest.
func (e *Evidence) Verified(state, newest uint32) {
	if !e.on || e.frozen || state <= e.horizon {
		return
	}
	e.horizon = state
	keep := state - min(state, inputsBefore)
	if base, ok := e.snapshots.forget(state, newest); ok {
		keep = min(keep, base)
	}
	e.inputs.Forget(keep)
}

// Freeze keeps everything until Release: there is a desync to be explained.
func (e *Evidence) Freeze() {
	if e.frozen = true; e.on {
		e.inputs.Freeze()
	}
}

// Release forgets everything, and keeps nothing until Reset.
func (e *Evidence) Release() {
	if e.on {
		e.Reset()
		e.frozen, e.stopped = true, true
		e.snapshots.stop()
	}
}
