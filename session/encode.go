package session

import (
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// encoder encodes agreed frames.
type encoder[I comparable] struct {
	plan  *canon.Plan[I]
	frame agreed.Frame
}

func (s *simulator[S, I]) encode(on bool) {
	switch {
	case !on:
		s.encoder = nil
	case s.encoder == nil:
		s.encoder = &encoder[I]{plan: s.plan}
	}
}

// encode returns the frame as bytes, valid until the next one.
func (e *encoder[I]) encode(a *rollback.Agreed[I]) *agreed.Frame {
	f := &e.frame
	*f = agreed.Frame{Number: uint32(a.Frame), Inputs: f.Inputs[:0], Finished: a.Finished, Result: a.Result}
	for i := range a.Inputs {
		f.Inputs = e.plan.Append(f.Inputs, &a.Inputs[i])
	}
	for p, status := range a.Statuses {
		if status == rollback.Disconnected {
			f.Gone |= 1 << p
		}
	}
	for _, o := range a.Orders {
		if len(o) > 0 {
			f.Orders = a.Orders
			break
		}
	}
	return f
}

// decode decodes the inputs of an agreed frame.
func decode[I comparable](plan *canon.Plan[I], inputs []I, f *agreed.Frame) error {
	size := plan.Size() // may be 0
	for p := range inputs {
		if err := plan.Decode(&inputs[p], f.Inputs[p*size:(p+1)*size]); err != nil {
			return err
		}
	}
	return nil
}

// feed runs an agreed frame.
func (s *simulator[S, I]) feed(f *agreed.Frame, record func(stream.Frame)) error {
	if Frame(f.Number) != s.Frame() {
		return agreed.ErrGap
	}
	inputs := make([]I, s.Players())
	if err := decode(s.plan, inputs, f); err != nil {
		return err
	}
	if err := s.Feed(inputs, f.Orders, PlayerSet(f.Gone)); err != nil {
		return err
	}
	return s.agree(s.Agreed(), record)
}

func (s *simulator[S, I]) Marshals() bool { return s.canMarshal }

// marshal appends the encoding of the newest final state.
func (s *simulator[S, I]) marshal(b []byte) (encoded []byte, f Frame, err error) {
	f = s.Final()
	encoded, err = s.Marshal(b, f)
	return encoded, f, err
}
