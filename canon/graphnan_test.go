package canon_test

import (
	"errors"
	"math"
	"testing"

	"github.com/tickback/tickback/canon"
)

// Rule: the hash of a saved state, and that of any value, is the same for all NaNs, wherever they are, since processors
// produce different ones; it distinguishes a NaN from a number, and 0 from -0.
func TestHashesOfSavedStatesKnowOneNaN(t *testing.T) {
	type cell struct {
		N int64
		F float64
		G float32
		B uint8
	}
	type state struct {
		Cell   cell
		Plain  []float64
		Narrow []float32
		Cells  []cell
		Pairs  []complex64
		Named  map[string]float64
		Many   [9]float64
		Any    any
		Rows   [6]cell
		To     *complex128
	}
	filled := func(f float64, g float32) *state {
		c, to := cell{3, f, g, 7}, complex(1, f)
		return &state{
			Cell: c, Plain: []float64{1, f, 2}, Narrow: []float32{g, 1}, Cells: []cell{c, c}, Pairs: []complex64{complex(1, g)},
			Named: map[string]float64{"a": f, "b": 1}, Many: [9]float64{8: f}, Any: f, Rows: [6]cell{5: c}, To: &to,
		}
	}
	saver, err := canon.SaverFor[state]()
	if err != nil {
		t.Fatal(err)
	}
	anys := map[uint64]uint64{} // by the saver's
	hash := func(f uint64, g uint32) uint64 {
		t.Helper()
		s := filled(math.Float64frombits(f), math.Float32frombits(g))
		h, err := saver.Hash(s)
		if err != nil {
			t.Fatal(err)
		}
		any, err := canon.HashAny(s)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := anys[h]; ok && other != any {
			t.Errorf("HashAny has another hash of %#x and %#x", f, g)
		}
		anys[h] = any
		return h
	}
	const nan64, nan32 = 0x7FF8000000000001, 0x7FC00000
	want := hash(nan64, nan32)
	for _, f := range []uint64{0xFFF8000000000000, 0x7FF8000000000000, 0x7FF8000000000123, 0xFFFFFFFFFFFFFFFF} {
		if hash(f, nan32) != want {
			t.Errorf("a NaN %#x has another hash", f)
		}
	}
	for _, g := range []uint32{0xFFC00000, 0x7FC00001, 0xFFFFFFFF} {
		if hash(nan64, g) != want {
			t.Errorf("a NaN %#x of a float32 has another hash", g)
		}
	}
	seen := map[uint64]bool{want: true}
	for _, f := range []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.MaxFloat64} {
		h := hash(math.Float64bits(f), nan32)
		if seen[h] {
			t.Errorf("%v has the hash of something else", f)
		}
		seen[h] = true
	}
}

// Rule: this is also true of maps, whose keys are ordered: the place of a NaN among them does not depend on its sign.
// Two keys that are NaN are refused, whatever their bits.
func TestKeysThatAreNaN(t *testing.T) {
	type state struct {
		Plain  map[float64]int
		Narrow map[[2]float32]int
		Pairs  map[complex128]int
		Any    map[any]int
		To     map[struct{ F *float64 }]int
	}
	filled := func(nan float64) *state {
		less := -1.5 // its first bytes are those of a NaN
		return &state{
			Plain: map[float64]int{nan: 1, less: 2, 3: 3}, Narrow: map[[2]float32]int{{1, float32(nan)}: 1, {1, -1.5}: 2},
			Pairs: map[complex128]int{complex(nan, 1): 1, complex(less, 1): 2}, Any: map[any]int{nan: 1, less: 2}, To: map[struct{ F *float64 }]int{{&nan}: 1, {&less}: 2},
		}
	}
	saver := saverOf[state](t)
	positive, negative := math.Float64frombits(0x7FF8<<48), math.Float64frombits(0xFFF8<<48)
	if a, b := hashOf(t, saver, filled(positive)), hashOf(t, saver, filled(negative)); a != b {
		t.Errorf("the sign of a NaN is in the hash: %x and %x", a, b)
	}
	a, errA := canon.HashAny(filled(positive))
	b, errB := canon.HashAny(filled(negative))
	if a != b || errA != nil || errB != nil {
		t.Errorf("the sign of a NaN is in HashAny: %x and %x, %v, %v", a, b, errA, errB)
	}
	for _, other := range []float64{positive, negative} {
		if err := refusal(t, &state{Plain: map[float64]int{positive: 1, other: 2}}); !errors.Is(err, canon.ErrAmbiguousKey) {
			t.Errorf("two keys that are NaN: %v", err)
		}
	}
}
