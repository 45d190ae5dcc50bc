package tbr

import (
	"slices"
	"testing"
)

// Rule: an index is decoded as it was encoded: segments at ascending offsets, before the
// chunk that says how the recording ended, which is before the index. Anything else is
// refused.
func TestAnIndexIsInOrder(t *testing.T) {
	for _, c := range []struct {
		name    string
		offsets []uint64
		end     uint64
		ok      bool
	}{
		{"three segments", []uint64{9, 20, 39}, 40, true},
		{"segments of one byte", []uint64{1, 2, 3}, 4, true},
		{"far away", []uint64{1 << 20, 1 << 40}, 1 << 50, true},
		{"no segments", nil, 40, true},
		{"an end right before the index", []uint64{9}, 1<<51 - 1, true},
		{"an end at the index", []uint64{9}, 1 << 51, true},
		{"an end behind the index", []uint64{9}, 1<<51 + 1, false},
		{"a first segment at 0", []uint64{0, 9}, 40, false},
		{"one segment twice", []uint64{9, 9}, 40, false},
		{"a segment at the end", []uint64{9, 40}, 40, false},
		{"a segment behind the end", []uint64{9, 41}, 40, false},
		{"a first segment behind the end", []uint64{41}, 40, false},
	} {
		for flags := range 1 << len(c.offsets) { // whether they begin with keyframes
			x := index{end: c.end}
			for i, o := range c.offsets {
				x.begin(o, flags>>i&1 != 0)
			}
			b := x.append(nil)
			var got index
			if ok := got.read(b, 1<<51); ok != c.ok {
				t.Errorf("%s, keyframes %b: read %v", c.name, flags, ok)
			} else if ok && (got.end != x.end || !slices.Equal(got.entries, x.entries)) {
				t.Errorf("%s, keyframes %b: %+v came back as %+v", c.name, flags, x, got)
			}
			if new(index).read(append(slices.Clone(b), 0), 1<<51) || new(index).read(b[:len(b)-1], 1<<51) {
				t.Errorf("%s: with a byte more or less it is read, too", c.name)
			}
		}
	}
}

// Rule: an index has a segment for each segment that the frames need, after the header.
func TestAnIndexFitsTheFrames(t *testing.T) {
	for _, c := range []struct {
		first, next uint32
		offsets     []uint64
		end         uint64
		ok          bool
	}{
		{0, 0, nil, 100, true},
		{0, 0, nil, 99, false}, // the recording ends within the header
		{0, 0, []uint64{100}, 110, false},
		{0, 1, nil, 110, false},
		{0, 1, []uint64{100}, 110, true},
		{0, 1, []uint64{99}, 110, false},
		{0, 64, []uint64{100}, 110, true},
		{0, 65, []uint64{100}, 110, false},
		{0, 65, []uint64{100, 105}, 110, true},
		{0, 64, []uint64{100, 105}, 110, false},
		{60, 65, []uint64{100, 105}, 110, true},
		{60, 60, nil, 110, true},
		{60, 59, nil, 110, false},
		{60, 59, []uint64{100}, 110, false},
		{100, 10, []uint64{100}, 110, false},
	} {
		x := index{first: c.first, segment: 64, end: c.end}
		for _, o := range c.offsets {
			x.begin(o, false)
		}
		if got := x.fits(&End{Next: c.next}, 100); got != c.ok {
			t.Errorf("%+v: fits %v", c, got)
		}
	}
}
