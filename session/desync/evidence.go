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

const (
	// inputShare is the part of the budget that the inputs may take.
	inputShare = 4
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
	hashed  uint32   // the newest; 0: none
	stopped bool     // a hash found no room

	log       agreed.Log
	lost      bool   // frames are missing at the end of the log
	horizon   uint32 // the newest state in which all peers were the same
	snapshots snapshots
}

// Init sets up, or with a budget of 0 switches off.
func (e *Evidence) Init(cfg Config) {
	*e = Evidence{cfg: cfg}
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
	e.frozen, e.stopped, e.lost, e.hashed, e.horizon = false, false, false, 0, 0
	if err := e.log.Init(e.cfg.Shape, 0); err != nil {
		e.on = false // a shape that no match has
		return
	}
	e.snapshots.reset(&e.cfg)
}

// Hash takes the hash of an agreed state. They come in order.
func (e *Evidence) Hash(state uint32, hash uint64) {
	if !e.on || e.stopped {
		return
	}
	if e.frozen && state-e.horizon >= uint32(len(e.hashes))*e.cfg.HashEvery {
		e.stopped = true
		return
	}
	e.hashes[state/e.cfg.HashEvery%uint32(len(e.hashes))] = hash
	e.hashed = state
}

// HashOf returns the hash of an agreed state, if it is held.
func (e *Evidence) HashOf(state uint32) (uint64, bool) {
	if !e.on || state == 0 || state > e.hashed || state%e.cfg.HashEvery != 0 ||
		(e.hashed-state)/e.cfg.HashEvery >= uint32(len(e.hashes)) {
		return 0, false
	}
	return e.hashes[state/e.cfg.HashEvery%uint32(len(e.hashes))], true
}

// Frame takes an agreed frame, without a mark. They come in order.
func (e *Evidence) Frame(f *agreed.Frame) {
	if !e.on || e.lost {
		return
	}
	if e.log.Next()%agreed.BlockFrames == 0 && e.log.Size() > e.cfg.Budget/inputShare {
		if e.frozen {
			e.lost = true
			return
		}
		e.log.Forget(e.log.First() + agreed.BlockFrames)
	}
	e.lost = e.log.Append(f) != nil
}

// Wants reports whether a final state should be given to Keep.
func (e *Evidence) Wants(state uint32) bool { return e.on && e.snapshots.wants(state) }

// Buffer returns memory for the encoding of a state that is wanted, to append to.
func (e *Evidence) Buffer() []byte { return e.snapshots.buffer() }

// Keep takes the encoding of a state that is wanted, in the memory of Buffer. They
// come in order.
func (e *Evidence) Keep(state uint32, encoded []byte) { e.snapshots.keep(state, encoded, e.frozen) }

// Cannot says that a state cannot be encoded, and none will be.
func (e *Evidence) Cannot() { e.snapshots.stop() }

// Verified says that all peers have been in the same states up to this one. What is
// older is forgotten, but for some frames.
func (e *Evidence) Verified(state uint32) {
	if !e.on || e.frozen || state <= e.horizon {
		return
	}
	e.horizon = state
	keep := state - min(state, inputsBefore)
	if base, ok := e.snapshots.forget(state); ok {
		keep = min(keep, base)
	}
	e.log.Forget(keep)
}

// Freeze keeps everything until Release: there is a desync to be explained.
func (e *Evidence) Freeze() { e.frozen = true }

// Release forgets everything, and keeps nothing until Reset.
func (e *Evidence) Release() {
	if e.on {
		e.Reset()
		e.frozen, e.stopped, e.lost = true, true, true
		e.snapshots.stop()
	}
}
