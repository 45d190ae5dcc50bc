package nav

import (
	"slices"
	"testing"
)

// Rule: a navigator that pauses does so after about as many cells as it should, however large the map is,
// always at the same places, and its fields are those of one that does not.
func TestANavigatorPauses(t *testing.T) {
	m := randomMap(t, seeded(t, 5), 256, 256)
	w := Way{Answered: 1, Whole: 1, EndCount: 1}
	w.Ends[0] = CellAt(5, 7)
	run := func(pausing bool) (values []uint32, pieces []int) {
		n := New(Config{})
		if pausing {
			n.Pausing(func(cells int) { pieces = append(pieces, cells) })
		}
		if err := n.Look(m); err != nil {
			t.Fatal(err)
		}
		if pausing { // taking memory is four pieces of work, however large the map is
			if len(pieces) < 4 || sum(pieces[:4]) != 256*256*9/16 {
				t.Fatalf("it begins with %v", pieces[:min(len(pieces), 4)])
			}
			pieces = pieces[4:]
		}
		return slices.Clone(n.Field(&w).values), pieces
	}
	plain, none := run(false)
	values, pieces := run(true)
	_, again := run(true)
	if !slices.Equal(plain, values) || len(none) > 0 || !slices.Equal(pieces, again) {
		t.Errorf("the field is another one, or it pauses elsewhere: after %v and %v", pieces, again)
	}
	for i, cells := range pieces {
		if cells < cellsAtOnce || cells > 2*cellsAtOnce && i < len(pieces)-1 {
			t.Errorf("%d cells at once", cells)
		}
	}
	if cells := 256 * 256; sum(pieces) < cells || sum(pieces) > 4*cells {
		t.Errorf("%d cells are counted of %d", sum(pieces), cells)
	}
}

func sum(list []int) (n int) {
	for _, v := range list {
		n += v
	}
	return n
}
