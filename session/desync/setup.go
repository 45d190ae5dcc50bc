package desync

import (
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/wire/agreed"
)

// Game is what an investigation needs from the game.
type Game interface {
	// Scalar returns the scalars of an encoded plain state by offset, and its size; nil
	// for a game with its own memory.
	Scalar() (at func(offset int) canon.Scalar, size int)
	// Sandbox returns an instance that is independent of the match.
	Sandbox() (Sandbox, error)
}

// Sandbox is an instance of the game in which frames are resimulated. Its methods may panic.
type Sandbox interface {
	// Unmarshal makes an encoded state the live one.
	Unmarshal(encoded []byte) error
	// Step runs a frame.
	Step(f *agreed.Frame) error
	// Hash, Marshal and Text apply to the live state. Text has a line for each field, in the format of
	// canon.AppendTextAny.
	Hash() (uint64, error)
	Marshal(b []byte) ([]byte, error)
	Text() ([]byte, error)
}

// Pausing is a [Sandbox] whose Step may be able to pause.
type Pausing interface {
	// Pausing makes Step, and Unmarshal if possible, call pause at points where they can be interrupted, with the
	// work done since the last call, in units such that about 10,000 take a millisecond. It reports whether the
	// game supports that. If pause panics, they pass the panic on, and the sandbox is not used again.
	Pausing(pause func(work int)) bool
}

// Setup is the configuration for [New].
type Setup struct {
	Own      uint16   // players of this machine
	Machine  string   // its description, at most 64 bytes
	Peers    []uint16 // players of each other machine
	Game     Game
	Evidence *Evidence
	// Send sends a message to a peer, reliably and in order; the body is valid during the call. Ready reports
	// whether another message would be sent without a long wait.
	Send  func(peer int, kind Kind, body []byte)
	Ready func(peer int) bool
	// Period is the tick period; only a little work is done in each. Patience is how long a peer may take to
	// answer.
	Period, Patience time.Duration
}
