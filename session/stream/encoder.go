package stream

import (
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// Encoder encodes agreed frames for sending and recording.
type Encoder[I comparable] struct {
	plan  *canon.Plan[I]
	frame agreed.Frame
}

// NewEncoder returns an encoder of frames whose inputs have this plan.
func NewEncoder[I comparable](plan *canon.Plan[I]) *Encoder[I] { return &Encoder[I]{plan: plan} }

// Encode returns the encoded frame, valid until the next call.
func (e *Encoder[I]) Encode(a *rollback.Agreed[I]) *agreed.Frame {
	f := &e.frame
	*f = agreed.Frame{Number: uint32(a.Frame), Inputs: f.Inputs[:0], Gone: uint16(a.Gone), Finished: a.Finished, Result: a.Result}
	for i := range a.Inputs {
		f.Inputs = e.plan.Append(f.Inputs, &a.Inputs[i])
	}
	for _, o := range a.Orders {
		if len(o) > 0 {
			f.Orders = a.Orders
			break
		}
	}
	return f
}

// Decode decodes the inputs of an agreed frame, one for each player.
func Decode[I comparable](plan *canon.Plan[I], inputs []I, f *agreed.Frame) error {
	size := plan.Size() // may be 0
	for p := range inputs {
		if err := plan.Decode(&inputs[p], f.Inputs[p*size:(p+1)*size]); err != nil {
			return err
		}
	}
	return nil
}
