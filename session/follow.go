package session

import (
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// load begins in the middle of a match.
func (s *simulator[S, I]) load(f Frame, encoded []byte) error { return s.Load(f, encoded) }

// feed runs the next frame from what all have agreed on.
func (s *simulator[S, I]) feed(f *agreed.Frame, record func(stream.Frame)) error {
	if Frame(f.Number) != s.Frame() {
		return agreed.ErrGap
	}
	size, inputs := s.plan.Size(), make([]I, s.Players())
	for p := range inputs {
		if err := s.plan.Decode(&inputs[p], f.Inputs[p*size:(p+1)*size]); err != nil {
			return err
		}
	}
	if err := s.Feed(inputs, f.Orders, PlayerSet(f.Gone)); err != nil {
		return err
	}
	return s.agree(s.Agreed(), record)
}
