package nav

import (
	"slices"
	"testing"
)

// Rule: a navigator that pauses does so after about the intended number of cells, however large the map is, always at
// the same places, and its fields are the same as without pauses.
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
		if pausing { // allocating memory is four pieces of work, however large the map is
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

// Rule: pauses can be turned on and off at any time, before the first map and after it.
func TestPausesAreTurnedOnAndOff(t *testing.T) {
	_, n := open(t, 2*Side, 2*Side)
	calls := 0
	field := func(end Cell) int {
		calls = 0
		w := Way{Answered: 1, Whole: 1, EndCount: 1, Ends: [MaxEnds]Cell{end}}
		n.Field(&w)
		return calls
	}
	if n.Pausing(func(int) { calls++ }); field(1) != 1 {
		t.Errorf("for a field of 1,024 cells it pauses %d times", calls)
	}
	if n.Pausing(nil); field(2) != 0 {
		t.Errorf("without a function it pauses %d times", calls)
	}
}
