package stream

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// Evidence keeps the hashes of agreed states, to explain a difference later.
type Evidence interface {
	Hash(state uint32, hash uint64)
}

// Spectators passes agreed frames on to spectators.
type Spectators interface {
	Frame(f *agreed.Frame) error
}

// Stream passes on what is agreed in a match. Evidence and Spectators may be nil.
type Stream struct {
	Recording  Recording
	Chain      Chain
	Evidence   Evidence
	Spectators Spectators
	marks      rollback.Frame // interval at which Spectators gets the chain
	next       rollback.Frame
}

// markEvery is the maximum interval, in frames, at which Spectators gets the chain, however often peers compare. A
// spectator needs the chain to continue at another host, which keeps a few hundred values.
const markEvery = 60

// Begin starts a match at frame 0. States are hashed at one interval of frames, 0 for never, and compared at
// another.
func (s *Stream) Begin(hashed, compared rollback.Frame) {
	s.next, s.marks = 0, markEvery
	if hashed > 0 {
		s.marks = hashed * max(markEvery/hashed, 1) // only states that are hashed
	}
	s.Chain.Begin(compared)
}

// Next returns the next frame to take.
func (s *Stream) Next() rollback.Frame { return s.next }

// Take takes the next frame and passes it on. The frame must be encoded if the recording is on or Spectators is
// set. An error comes from Spectators.
func (s *Stream) Take(f *Frame) error {
	s.next = f.Number + 1
	if s.Recording.On() {
		s.Recording.Frame(f.Encoded, f.Hash, f.Hashed)
	}
	if !s.Chain.Known() {
		return nil // without a chain there is nothing to compare or to pass on
	}
	if f.Hashed {
		s.Chain.fold(s.next, f.Hash)
		if s.Evidence != nil {
			s.Evidence.Hash(uint32(s.next), f.Hash)
		}
	}
	if s.Spectators == nil {
		return nil
	}
	e := f.Encoded
	e.Marked = s.marked(s.next)
	e.Mark = agreed.Mark{Chain: s.Chain.Value(), Hash: s.Chain.HashAt(s.next)}
	return s.Spectators.Frame(e)
}

// marked reports whether Spectators gets the chain at a state.
func (s *Stream) marked(f rollback.Frame) bool { return f%s.marks == 0 }
