package session

import (
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// encoder makes bytes of agreed frames.
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

func (s *simulator[S, I]) Marshals() bool { return s.canMarshal }

// marshal appends the newest state that is final.
func (s *simulator[S, I]) marshal(b []byte) (encoded []byte, f Frame, err error) {
	f = s.Final()
	encoded, err = s.Marshal(b, f)
	return encoded, f, err
}
