package canon_test

import (
	"math"
	"testing"

	"github.com/tickback/tickback/canon"
)

type joint struct {
	On    bool
	Force float32
	Turn  complex128
}

type spaced struct {
	Name   [3]byte
	Angle  float64
	Joints [5]joint
	Rows   [2][3]float32
	Spin   complex64
	Skin   float32 `canon:"-"`
	_      float64
	Last   float64
}

// Rule: a NaN with any bits, anywhere in a state, becomes the one of math.NaN. Nothing else changes: neither
// infinities, nor -0, nor anything that is not part of the state.
func TestOneNaN(t *testing.T) {
	p, err := canon.PlanFor[spaced](canon.AllowFloats)
	if err != nil {
		t.Fatal(err)
	}
	odd, odd32 := math.Float64frombits(0xFFF0_0000_0000_0123), math.Float32frombits(0xFF80_0007)
	fill := func(n64 float64, n32 float32) *spaced {
		s := &spaced{Name: [3]byte{1, 2, 3}, Angle: n64, Spin: complex(n32, float32(math.Inf(-1))), Last: n64}
		for i := range s.Joints {
			s.Joints[i] = joint{i&1 == 0, n32, complex(math.Copysign(0, -1), n64)}
		}
		for i := range s.Rows {
			s.Rows[i] = [3]float32{1, n32, float32(i)}
		}
		return s
	}
	got, want := fill(odd, odd32), fill(math.NaN(), float32(math.NaN()))
	got.Skin, want.Skin = odd32, odd32
	if p.Equal(got, want) {
		t.Fatal("they are equal before")
	}
	p.OneNaN(got)
	if !p.Equal(got, want) || p.Hash(got) != p.Hash(want) {
		t.Error(p.Diff(got, want, 9))
	}
	if b := math.Float32bits(got.Skin); b != 0xFF80_0007 {
		t.Errorf("what is no part of the state is %08x", b)
	}
	if n := testing.AllocsPerRun(10, func() { p.OneNaN(got) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
