package desync

import (
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/wire/agreed"
)

// Game is what an investigation needs of the game that is played.
type Game interface {
	// Scalar returns the scalars of the encoding of a plain state by offset, and its
	// size; nil for a game with its own memory.
	Scalar() (at func(offset int) canon.Scalar, size int)
	// Sandbox returns an instance that is independent of the match.
	Sandbox() (Sandbox, error)
}

// Sandbox is an instance of the game, to simulate frames again.
type Sandbox interface {
	// Load makes an encoded state the live one.
	Load(encoded []byte) error
	// Step runs a frame.
	Step(f *agreed.Frame) error
	// Hash, Marshal and Text are of the live state. Text has a line for each field, as
	// canon.AppendTextAny makes them.
	Hash() (uint64, error)
	Marshal(b []byte) ([]byte, error)
	Text() ([]byte, error)
}

// Facts are what a report says of the match.
type Facts struct {
	Game, Build string
	Match       uint32
	TickRate    uint16
	Seed        uint64
	Content     uint64
	Limit       uint32
	Data        []byte
}

// Setup is what an [Investigation] is made from.
type Setup struct {
	Own      byte   // players of this machine
	Machine  string // what it runs on, at most 64 bytes
	Peers    []byte // players of each other machine
	Game     Game
	Evidence *Evidence
	// Send sends a message to a peer, reliably and in order; the body is valid during
	// the call. Ready reports whether a further one would not have to wait long.
	Send  func(peer int, kind Kind, body []byte)
	Ready func(peer int) bool
	// Period is that of a tick, in which little is done at a time. Patience is how long
	// a peer may take for an answer.
	Period, Patience time.Duration
}
