package stream

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// Evidence keeps the hashes of agreed states, to explain a difference.
type Evidence interface {
	Hash(state uint32, hash uint64)
}

// Audience shows agreed frames to others.
type Audience interface {
	Frame(f *agreed.Frame) error
}

// Stream hands on what is agreed in a match. Set Evidence and Audience, or leave them nil.
type Stream struct {
	Tape     Tape
	Chain    Chain
	Evidence Evidence
	Audience Audience
	marks    rollback.Frame // an audience is told the chain in this interval
	next     rollback.Frame
}

// markEvery is in how many frames an audience is told the chain, at least: however often peers
// compare, so that spectators can go on at another host, which remembers a few hundred of them.
const markEvery = 60

// Begin begins with frame 0 of a match whose states are hashed in an interval, 0 is never, and
// compared in another one, both in frames.
func (s *Stream) Begin(hashed, compared rollback.Frame) {
	s.next, s.marks = 0, markEvery
	if hashed > 0 {
		s.marks = hashed * max(markEvery/hashed, 1) // at states that are hashed
	}
	s.Chain.Begin(compared)
}

// Next returns the next frame to take.
func (s *Stream) Next() rollback.Frame { return s.next }

// Take takes the next frame, encoded if the tape is on or there is an audience, and hands it
// on. An error is of the audience.
func (s *Stream) Take(f *Frame) error {
	s.next = f.Number + 1
	if s.Tape.On() {
		s.Tape.Frame(f.Encoded, f.Hash, f.Hashed)
	}
	if !s.Chain.Known() {
		return nil // neither what is compared nor what is shown would have a chain
	}
	if f.Hashed {
		s.Chain.fold(s.next, f.Hash)
		if s.Evidence != nil {
			s.Evidence.Hash(uint32(s.next), f.Hash)
		}
	}
	if s.Audience == nil {
		return nil
	}
	e := f.Encoded
	if e.Marked = s.marked(s.next); e.Marked {
		e.Mark = agreed.Mark{Chain: s.Chain.Value(), Hash: s.Chain.HashAt(s.next)}
	}
	return s.Audience.Frame(e)
}

// marked reports whether an audience is told the chain at a state.
func (s *Stream) marked(f rollback.Frame) bool { return f%s.marks == 0 }
