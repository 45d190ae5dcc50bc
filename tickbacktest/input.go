package tickbacktest

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/canon"
)

// codec converts inputs to bytes and back.
type codec[I comparable] struct{ plan *canon.Plan[I] }

func newCodec[I comparable]() (codec[I], error) {
	plan, err := canon.PlanFor[I]()
	if err != nil {
		return codec[I]{}, fmt.Errorf("inputs: %w", err)
	}
	return codec[I]{plan}, nil
}

func (c codec[I]) encode(in I) []byte { return c.plan.Append(nil, &in) }

// decode returns the input that some bytes encode, which may be any bytes: if a byte should be a bool, its lowest bit
// is used.
func (c codec[I]) decode(b []byte) (in I) {
	b = slices.Clone(b)
	for {
		var bad *canon.BoolError
		if err := c.plan.Decode(&in, b); !errors.As(err, &bad) {
			return in
		}
		b[bad.Offset] &= 1
	}
}

// anyByte makes typical bytes of inputs: few bits set, often none, and sometimes an extreme value.
var anyByte = rapid.OneOf(
	rapid.Just[byte](0),
	rapid.SampledFrom([]byte{0, 1, 2, 4, 8, 16, 32, 64, 128}),
	rapid.SampledFrom([]byte{0, 3, 5, 6, 7, 127, 128, 129, 255}),
	rapid.Byte(),
)

// draw makes a random input.
func (c codec[I]) draw(t *rapid.T) I {
	b := make([]byte, c.plan.Size())
	for i := range b {
		b[i] = anyByte.Draw(t, "byte")
	}
	return c.decode(b)
}

// weight measures how complicated an input is: the bits that are set, then their values.
func (c codec[I]) weight(in I) (n int) {
	for _, b := range c.encode(in) {
		n += bits.OnesCount8(b)
	}
	return n
}

// simpler returns simpler versions of an input, with larger simplifications first.
func (c codec[I]) simpler(in I) []I {
	b := c.encode(in)
	var list []I
	try := func(at int, value byte) {
		changed := slices.Clone(b)
		changed[at] = value
		if simple := c.decode(changed); simple != in {
			list = append(list, simple)
		}
	}
	for i := range b {
		if b[i] != 0 {
			try(i, 0)
		}
	}
	for i := range b {
		for left := b[i]; left != 0; left &= left - 1 {
			try(i, b[i]&^(left&-left))
		}
	}
	return list
}
