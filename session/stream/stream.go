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

// Stream passes on what is agreed in a match.
type Stream struct {
	Recording  Recording
	Chain      Chain
	evidence   Evidence
	spectators Spectators
	marks      rollback.Frame // interval at which the spectators get the chain
	next       rollback.Frame
}

// markEvery is the maximum interval, in frames, at which spectators get the chain, however often peers compare. A
// spectator needs the chain to continue at another host, which keeps a few hundred values.
const markEvery = 60

// SetEvidence makes the stream pass hashes on to e, from the next frame on; nil ends that.
func (s *Stream) SetEvidence(e Evidence) { s.evidence = e }

// SetSpectators makes the stream pass frames on to spectators, from the next frame on; nil ends that.
func (s *Stream) SetSpectators(to Spectators) { s.spectators = to }

// Reads reports whether anything reads the encoded frames: a recording, or spectators.
func (s *Stream) Reads() bool { return s.Recording.On() || s.spectators != nil }

// Begin starts a match at frame 0. States are hashed at one interval of frames, 0 for never, and compared at
// another.
func (s *Stream) Begin(hashed, compared rollback.Frame) {
	s.next, s.marks = 0, markEvery
	if hashed > 0 {
		s.marks = hashed * max(markEvery/hashed, 1) // only states that are hashed
	}
	s.Chain.Begin(compared)
}

// Resume goes on at frame f, with the chain of the states before.
func (s *Stream) Resume(f rollback.Frame, chain uint64) {
	s.next = f
	s.Chain.Resume(chain)
}

// Next returns the next frame to take.
func (s *Stream) Next() rollback.Frame { return s.next }

// Take takes the next frame and passes it on. The frame must be encoded if the recording is on or there are
// spectators. An error comes from them.
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
		if s.evidence != nil {
			s.evidence.Hash(uint32(s.next), f.Hash)
		}
	}
	if s.spectators == nil {
		return nil
	}
	e := f.Encoded
	e.Marked = s.marked(s.next)
	e.Mark = agreed.Mark{Chain: s.Chain.Value(), Hash: s.Chain.HashAt(s.next)}
	return s.spectators.Frame(e)
}

// marked reports whether spectators get the chain at a state.
func (s *Stream) marked(f rollback.Frame) bool { return f%s.marks == 0 }
