package canon_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/tickback/tickback/canon"
)

// plainFloats and graphFloats have a float64 and a float32 in every way in which a state can have floats.
type plainFloats struct {
	F    float64
	G    float32
	C    complex128
	D    complex64
	List [3]float64
	Cell [2]struct {
		N int8
		G float32
	}
}

// graphFloats is for savers and walkers.
type graphFloats struct {
	Plain  plainFloats
	List   []float64
	Narrow []float32
	Pairs  []complex64
	Value  map[int]float64
	Key    map[float64]int
	Wide   map[[2]float32]int
	Any    any
	To     *complex128
	Keyed  map[any]bool
}

func plainOf(f float64, g float32) *plainFloats {
	s := &plainFloats{F: f, G: g, C: complex(1, f), D: complex(g, 1), List: [3]float64{1: f}}
	s.Cell[1].G = g
	return s
}

func graphOf(f float64, g float32) *graphFloats {
	c := complex(f, 2)
	return &graphFloats{
		Plain: *plainOf(f, g), List: []float64{1, f}, Narrow: []float32{g, 1, g}, Pairs: []complex64{complex(1, g)}, Value: map[int]float64{3: f, 4: 1},
		Key: map[float64]int{f: 1, 7: 2, -7: 3}, Wide: map[[2]float32]int{{1, g}: 1, {1, -7}: 2, {1, 7}: 3}, Any: f, To: &c, Keyed: map[any]bool{f: true, 7.5: true, -7.5: false},
	}
}

// Rule: hashing, encoding, comparing and naming differences agree on which floats are the same. For a plan, those are
// floats with the same bits; for savers and walkers, all NaNs are the same as well. 0 and -0 are different for all of
// them.
func TestAllAgreeOnFloats(t *testing.T) {
	floats := []struct {
		f uint64
		g uint32
	}{
		{0x7FF8000000000001, 0x7FC00000},
		{0xFFF8000000000000, 0xFFC00000},
		{0x7FF0000000000001, 0x7F800001},
		{0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF},
		{0, 0},
		{1 << 63, 1 << 31},
		{0x7FF << 52, 0xFF << 23},
		{0x3FF << 52, 0x7F << 23},
	}
	plan, err := canon.PlanFor[plainFloats](canon.AllowFloats)
	if err != nil {
		t.Fatal(err)
	}
	saver, err := canon.SaverFor[graphFloats]()
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	byPlan := map[string]func(a, b *plainFloats) bool{
		"Plan.Hash":       func(a, b *plainFloats) bool { return plan.Hash(a) == plan.Hash(b) },
		"Plan.Append":     func(a, b *plainFloats) bool { return bytes.Equal(plan.Append(nil, a), plan.Append(nil, b)) },
		"Plan.Equal":      func(a, b *plainFloats) bool { return plan.Equal(a, b) },
		"Plan.Diff":       func(a, b *plainFloats) bool { return plan.Diff(a, b, 1).Total == 0 },
		"Plan.AppendText": func(a, b *plainFloats) bool { return bytes.Equal(plan.AppendText(nil, a), plan.AppendText(nil, b)) },
		"Plan.AppendDelta": func(a, b *plainFloats) bool {
			return len(plan.AppendDelta(nil, a, b)) == len(plan.AppendDelta(nil, a, a))
		},
		"Plan.Decode": func(a, b *plainFloats) bool {
			var back plainFloats
			must(plan.Decode(&back, plan.Append(nil, b)))
			return plan.Equal(a, &back)
		},
	}
	saved := func(s *graphFloats) *canon.Memento[graphFloats] {
		m := new(canon.Memento[graphFloats])
		must(saver.Save(s, m))
		return m
	}
	byGraph := map[string]func(a, b *graphFloats) bool{
		"HashAny": func(a, b *graphFloats) bool {
			x, err := canon.HashAny(a)
			must(err)
			y, err := canon.HashAny(b)
			must(err)
			return x == y
		},
		"AppendAny": func(a, b *graphFloats) bool {
			x, err := canon.AppendAny(nil, a)
			must(err)
			y, err := canon.AppendAny(nil, b)
			must(err)
			return bytes.Equal(x, y)
		},
		"DiffAny": func(a, b *graphFloats) bool {
			r, err := canon.DiffAny(a, b, 1)
			must(err)
			return r.Total == 0
		},
		"Saver.Hash": func(a, b *graphFloats) bool {
			x, err := saver.Hash(a)
			must(err)
			y, err := saver.Hash(b)
			must(err)
			return x == y
		},
		"Memento.Hash":  func(a, b *graphFloats) bool { return saved(a).Hash() == saved(b).Hash() },
		"Memento.Equal": func(a, b *graphFloats) bool { return saved(a).Equal(saved(b)) },
		"Saver.Equal":   func(a, b *graphFloats) bool { return saver.Equal(a, saved(b)) },
		"Saver.Diff":    func(a, b *graphFloats) bool { return saver.Diff(saved(a), saved(b), 1).Total == 0 },
	}
	for _, x := range floats {
		for _, y := range floats {
			f, g, f2, g2 := math.Float64frombits(x.f), math.Float32frombits(x.g), math.Float64frombits(y.f), math.Float32frombits(y.g)
			same := x == y
			for name, equal := range byPlan {
				if equal(plainOf(f, g), plainOf(f2, g2)) != same {
					t.Errorf("%s: %#x and %#x, the same: %v", name, x, y, !same)
				}
			}
			same = same || f != f && f2 != f2
			for name, equal := range byGraph {
				if equal(graphOf(f, g), graphOf(f2, g2)) != same {
					t.Errorf("%s: %#x and %#x, the same: %v", name, x, y, !same)
				}
			}
		}
	}
}

// Rule: a difference only in the bits of a NaN is shown by these bits.
func TestNaNsThatDifferAreShown(t *testing.T) {
	plan, err := canon.PlanFor[struct{ F float64 }](canon.AllowFloats)
	if err != nil {
		t.Fatal(err)
	}
	a, b := struct{ F float64 }{math.NaN()}, struct{ F float64 }{math.Float64frombits(0xFFF8 << 48)}
	const want = "F: NaN (0x7ff8000000000001) != NaN (0xfff8000000000000)"
	if got := plan.Diff(&a, &b, 1).String(); got != want {
		t.Errorf("it says %s", got)
	}
}
