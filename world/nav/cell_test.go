package nav

import (
	"testing"

	"github.com/tickback/tickback/fixed"
)

// Rule: a position is in the cell of its integer parts, and one that is on no map is nowhere.
func TestCells(t *testing.T) {
	for _, c := range []struct {
		x, y fixed.Num
		want Cell
	}{
		{0, 0, 0},
		{fixed.One - 1, 2*fixed.One - 1, CellAt(0, 1)},
		{7 * fixed.One, 9 * fixed.One, CellAt(7, 9)},
		{-1, 0, Nowhere},
		{0, -1, Nowhere},
		{1 << 32, 0, Nowhere},
		{0, 1 << 32, Nowhere},
		{65535 * fixed.One, 65535 * fixed.One, Nowhere},
		{fixed.Max, 0, Nowhere},
		{0, fixed.Max, Nowhere},
	} {
		if got := CellOf(fixed.Vec2{X: c.x, Y: c.y}); got != c.want {
			t.Errorf("(%v, %v): %v, want %v", c.x, c.y, got, c.want)
		}
	}
	for _, c := range []Cell{0, CellAt(3, 5), CellAt(511, 511)} {
		if got := CellOf(c.Centre()); got != c || CellAt(c.X(), c.Y()) != c {
			t.Errorf("%v: %v", c, got)
		}
	}
	if CellAt(-1, 0) != Nowhere || CellAt(0, -1) != Nowhere || CellAt(65535, 0) != Nowhere || CellAt(0, 65535) != Nowhere {
		t.Error("there are cells outside")
	}
}

// Rule: the numbers of cells never change, since states and recordings contain them: y and x, 16 bits each, and Nowhere
// is the largest.
func TestCellsAsNumbers(t *testing.T) {
	if Nowhere != 0xFFFF_FFFF || CellAt(3, 5) != 5<<16|3 || CellAt(65534, 65534) != 0xFFFE_FFFE || Cell(5<<16|3).X() != 3 || Cell(5<<16|3).Y() != 5 {
		t.Error("they are other numbers")
	}
}

// Rule: directions lead to neighbours, and their vectors point there.
func TestDirections(t *testing.T) {
	at := CellAt(10, 10)
	for d := North; d <= NorthWest; d++ {
		to := d.From(at)
		if (d ^ opposite).From(to) != at {
			t.Errorf("%v has another way back", d)
		}
		v := d.Vec()
		if v.X.Sign() != to.X()-10 || v.Y.Sign() != to.Y()-10 || (v.Length()-fixed.One).Abs() > 1 {
			t.Errorf("%v leads to %v, its vector is %v", d, to, v)
		}
	}
	if Here.From(at) != at || Lost.From(at) != at || Lost.Vec() != (fixed.Vec2{}) || North.From(0) != Nowhere || West.From(0) != Nowhere {
		t.Error("directions that lead nowhere lead somewhere")
	}
	if SouthWest.String() != "south-west" || Lost.String() != "lost" || Direction(77).String() != "direction 77" || at.String() != "(10, 10)" || Nowhere.String() != "nowhere" {
		t.Error("names")
	}
}
