package desync

import (
	"math/bits"

	"github.com/tickback/tickback/wire/agreed"
)

// Config configures an [Evidence].
type Config struct {
	Shape     agreed.Shape
	HashEvery uint32 // the interval in frames at which states are hashed; 0: they are not
	Every     uint32 // the interval at which they are compared, a multiple of HashEvery
	// Budget is how many bytes the snapshots and the inputs may take; 0 means that nothing is kept.
	Budget int
	// Marshals says that states can be encoded, and Slow that encoding is expensive.
	Marshals, Slow bool
}

// Inputs are the newest agreed frames of the match, from First up to but not including Next.
type Inputs interface {
	First() uint32
	Next() uint32
	// Frame returns one of the frames, valid until the next call, or nil.
	Frame(n uint32) *agreed.Frame
	// Forget drops the frames before this one.
	Forget(before uint32)
	// Freeze keeps all frames that are held, and adds new ones only while there is room.
	Freeze()
}

const (
	// InputShare is the divisor of a budget that gives the share of the inputs.
	InputShare = 4
	// inputsBefore is how many frames of inputs are kept for the report before the
	// last equal comparison.
	inputsBefore = 120
	// leastHashes and mostHashes limit how many hashes may be kept: 17 seconds' worth at the usual rate, or four
	// comparison intervals. At first there is memory for firstHashes: more are needed only while comparisons are
	// late.
	leastHashes, mostHashes = 1 << 10, 1 << 17
	firstHashes             = 1 << 8
)

// Evidence is what a peer keeps of a match to explain a desync: snapshots, and the hashes and inputs of agreed
// states back to the last state that was equal at all peers. In the steady state it allocates nothing.
type Evidence struct {
	cfg    Config
	on     bool
	frozen bool

	hashes  []uint64 // of states, by number / HashEvery, in a ring
	most    int      // maximum number of hashes
	count   uint32   // of hashes so far
	hashed  uint32   // the state of the newest hash; 0: none
	stopped bool     // there was no room for a hash

	horizon   uint32 // the newest state that was equal at all peers
	inputs    Inputs
	snapshots snapshots
}

// Init sets up the evidence, or turns it off if the budget is 0.
func (e *Evidence) Init(cfg Config, inputs Inputs) {
	*e = Evidence{cfg: cfg, inputs: inputs, snapshots: snapshots{off: true, next: None}}
	if cfg.Budget <= 0 || cfg.HashEvery == 0 || cfg.Every == 0 {
		return
	}
	e.on = true
	compared := 4 * uint64(cfg.Every/cfg.HashEvery)
	e.most = 1 << bits.Len64(min(max(compared, leastHashes), mostHashes)-1)
	e.hashes = make([]uint64, 1<<bits.Len64(min(max(compared, firstHashes), uint64(e.most))-1))
	e.Reset()
}

// On reports whether anything is kept.
func (e *Evidence) On() bool { return e.on }

// Reset starts another match, reusing memory.
func (e *Evidence) Reset() {
	if !e.on {
		return
	}
	e.frozen, e.stopped, e.count, e.hashed, e.horizon = false, false, 0, 0, 0
	e.snapshots.reset(&e.cfg)
}

// Hash stores the hash of the next agreed state that is hashed.
func (e *Evidence) Hash(state uint32, hash uint64) {
	if e.stopped {
		return
	}
	if state-e.horizon >= uint32(len(e.hashes))*e.cfg.HashEvery {
		if len(e.hashes) < e.most {
			e.lengthen()
		} else if e.frozen {
			e.stopped = true
			return
		}
	}
	e.count++
	e.hashes[e.count&uint32(len(e.hashes)-1)] = hash
	e.hashed = state
}

// lengthen doubles the room for hashes. Those that were overwritten no longer count.
func (e *Evidence) lengthen() {
	held, n := e.hashes, min(e.count, uint32(len(e.hashes)))
	e.hashes = make([]uint64, 2*len(held))
	for i := range n {
		e.hashes[n-i] = held[(e.count-i)&uint32(len(held)-1)]
	}
	e.count = n
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

// Wants reports whether a final state should be passed to Keep.
func (e *Evidence) Wants(state uint32) bool { return state == e.snapshots.next }

// Buffer returns memory to append the encoding of a wanted state to.
func (e *Evidence) Buffer() []byte { return e.snapshots.buffer() }

// Keep stores the encoding of a wanted state, in the memory from Buffer. States come in order.
func (e *Evidence) Keep(state uint32, encoded []byte) { e.snapshots.keep(state, encoded, e.frozen) }

// Disable reports that states of this game cannot be encoded.
func (e *Evidence) Disable() { e.snapshots.stop() }

// Verified reports that the states up to this one were equal at all peers. Older evidence is dropped, except for
// some frames. Wants must have been called for all states up to newest.
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

// Freeze keeps everything until Release, for an investigation.
func (e *Evidence) Freeze() {
	if e.frozen = true; e.on {
		e.inputs.Freeze()
	}
}

// Release drops everything, and keeps nothing until Reset.
func (e *Evidence) Release() {
	if e.on {
		e.Reset()
		e.frozen, e.stopped = true, true
		e.snapshots.stop()
	}
}
