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

// Sandbox is an instance of the game in which frames are simulated again. Its methods may panic.
type Sandbox interface {
	// Unmarshal makes an encoded state the live one.
	Unmarshal(encoded []byte) error
	// Step runs a frame.
	Step(f *agreed.Frame) error
	// Hash, Marshal and Text are about the live state. Text has a line for each field, as
	// canon.AppendTextAny makes it.
	Hash() (uint64, error)
	Marshal(b []byte) ([]byte, error)
	Text() ([]byte, error)
}

// Pausing is a [Sandbox] whose Step may be able to stop for a while, where it is.
type Pausing interface {
	// Pausing has Step, and Unmarshal if it can, call pause where it could stop, with how much it has
	// done since the last call, in units of which about 10,000 take a millisecond. It reports whether
	// the game can.
	// If pause panics, they pass that on, and the sandbox is not used again.
	Pausing(pause func(work int)) bool
}

// Facts are what a report says about the match.
type Facts struct {
	Game, Build string
	Match       uint32
	TickRate    uint16
	Seed        uint64
	Content     uint64
	Limit       uint32
	Data        []byte
}

// Setup is what [New] needs.
type Setup struct {
	Own      uint16   // players of this machine
	Machine  string   // what it runs on, at most 64 bytes
	Peers    []uint16 // players of each other machine
	Game     Game
	Evidence *Evidence
	// Send sends a message to a peer, reliably and in order; the body is valid during the
	// call. Ready reports whether another message would not have to wait long.
	Send  func(peer int, kind Kind, body []byte)
	Ready func(peer int) bool
	// Period is the length of a tick; little is done in each. Patience is how long a peer
	// may take to answer.
	Period, Patience time.Duration
}
