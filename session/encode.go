package session

import (
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// encode turns the encoding of agreed frames on or off.
func (s *simulator[S, I]) encode(on bool) {
	switch {
	case !on:
		s.encoder = nil
	case s.encoder == nil:
		s.encoder = stream.NewEncoder(s.plan)
	}
}

// feed runs an agreed frame.
func (s *simulator[S, I]) feed(f *agreed.Frame, record recorder) error {
	if Frame(f.Number) != s.Frame() {
		return agreed.ErrGap
	}
	inputs := make([]I, s.Players())
	if err := stream.Decode(s.plan, inputs, f); err != nil {
		return err
	}
	err := s.Feed(inputs, f.Orders, PlayerSet(f.Gone))
	if s.note(); err != nil {
		return err
	}
	_, err = s.agree(s.Agreed(), record)
	return err
}

// Marshals reports whether the game can encode a state.
func (s *simulator[S, I]) Marshals() bool { return s.canMarshal }

// marshal appends the encoding of the newest final state.
func (s *simulator[S, I]) marshal(b []byte) (encoded []byte, f Frame, err error) {
	f = s.Final()
	encoded, err = s.Marshal(b, f)
	return encoded, f, err
}
