package near

import (
	"math"
	"slices"
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
)

func draw(r *rng.Xorshift128Plus, n int) int { return int(r.Next() % uint64(n)) }

func area(t *testing.T, c Config) *Grid {
	t.Helper()
	g, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Rule: the cell of a coordinate is exactly its quotient by the side of a cell, and the first one for coordinates to
// the left of the area.
func TestCellsAreExact(t *testing.T) {
	r := rng.New(21)
	sides := []int64{1, 2, 3, 7, 255, 256, 257, int64(fixed.One), int64(fixed.One) - 1, int64(MaxSide) - 1, int64(MaxSide)}
	for range 200 {
		sides = append(sides, 1+int64(draw(&r, int(MaxSide))))
	}
	for _, side := range sides {
		g := area(t, Config{Width: min(MaxSide, fixed.Num(side)*1000), Height: 1, Cell: fixed.Num(side)})
		near := int64(draw(&r, int(int64(MaxSide)/side)+1)) * side
		for _, x := range []int64{-5, -1, 0, 1, side - 1, side, side + 1, near - 1, near, near + 1, int64(draw(&r, int(MaxSide)))} {
			if got, want := g.cellOf(int32(x)), max(x, 0)/side; int64(got) != want {
				t.Fatalf("%d is in cell %d of %d, want %d", x, got, side, want)
			}
		}
	}
}

// Rule: spans contain the cells of all coordinates within a radius, each once, and no others.
func TestSpansAreExact(t *testing.T) {
	r := rng.New(22)
	for range 4000 {
		size, torus := 1+draw(&r, 40), draw(&r, 2) == 0
		g := area(t, Config{Width: fixed.Num(size), Height: 1, Cell: fixed.Num(1 + draw(&r, size)), Torus: torus})
		x, radius := draw(&r, size), draw(&r, 2*size+2)
		if !torus {
			x = draw(&r, 3*size) - size // points outside are in the cells at the edge
		}
		want := make([]bool, g.across)
		for at := x - radius; at <= x+radius; at++ {
			if torus {
				want[g.column(int32((at+4*size)%size))] = true
			} else {
				want[g.column(int32(at))] = true
			}
		}
		got := make([]bool, g.across)
		spans, n := g.columns(int32(x), int64(radius))
		for _, s := range spans[:n] {
			for c := s.first; c <= s.last; c++ {
				if got[c] {
					t.Fatalf("cell %d is in two spans", c)
				}
				got[c] = true
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("size %d, cells of %d, torus %v: within %d of %d are %v, want %v", size, g.side, torus, radius, x, got, want)
		}
	}
}

// many is a grid of many blocks with a point of each class, so that a search shows which blocks it has looked at.
func many(t *testing.T, r *rng.Xorshift128Plus, torus bool) *Grid {
	g := area(t, Config{Width: fixed.Num(1 + draw(r, 300)), Height: fixed.Num(1 + draw(r, 300)), Cell: fixed.Num(2 + draw(r, 9)), Torus: torus})
	for i := range uint32(Classes) {
		g.AddMarked(i, fixed.Vec2{X: fixed.Num(draw(r, int(g.width)+20) - 10), Y: fixed.Num(draw(r, int(g.height)+20) - 10)}, i)
	}
	g.Sort()
	return g
}

// Rule: lists contain the points in the cells around a position, and nothing else.
func TestListsAreTheCellsAround(t *testing.T) {
	r := rng.New(23)
	for round := range 300 {
		g := many(t, &r, round%2 == 0)
		p, radius := fixed.Vec2{X: fixed.Num(draw(&r, int(g.width))), Y: fixed.Num(draw(&r, int(g.height)))}, int64(draw(&r, 60))
		columns, nx := g.columns(int32(p.X), radius)
		rows, ny := g.rows(int32(p.Y), radius)
		in := func(cell int32, spans []span) bool {
			return slices.ContainsFunc(spans, func(s span) bool { return s.first <= cell && cell <= s.last })
		}
		var got, want []Point
		for _, list := range g.AppendLists(nil, p, fixed.Num(radius)) {
			got = append(got, list...)
		}
		for _, q := range g.points {
			if in(g.column(q.X), columns[:nx]) && in(g.row(q.Y), rows[:ny]) {
				want = append(want, q)
			}
		}
		slices.SortFunc(got, byID)
		slices.SortFunc(want, byID)
		if !slices.Equal(got, want) {
			t.Fatalf("within %d of %v: %v, want %v", radius, p, got, want)
		}
	}
}

// Rule: the blocks of a grid are squares of four by four cells, and each records the classes of its points, if there
// are others than class 0; a block without the requested classes is not looked at.
func TestBlocksKnowTheirClasses(t *testing.T) {
	r := rng.New(24)
	for round := range 200 {
		g := many(t, &r, round%2 == 0)
		for again := range 3 { // the points before are forgotten
			if again > 0 {
				g.Clear()
				for i := range uint32(draw(&r, 40)) {
					g.AddMarked(i, fixed.Vec2{X: fixed.Num(draw(&r, int(g.width))), Y: fixed.Num(draw(&r, int(g.height)))}, uint32(draw(&r, 3)*draw(&r, 2)*(2-again)))
				}
				g.Sort()
			}
			if up := func(n int32) int32 { return int32(math.Ceil(float64(n) / blockCells)) }; g.blocks.across != up(g.across) || g.blocks.down != up(g.down) {
				t.Fatalf("%d × %d blocks for %d × %d cells", g.blocks.across, g.blocks.down, g.across, g.down)
			}
			want, mixed := make([]uint64, g.blocks.across*g.blocks.down), false
			for _, q := range g.points {
				want[g.row(q.Y)/blockCells*g.blocks.across+g.column(q.X)/blockCells] |= ClassOf(q.Class())
				mixed = mixed || q.Class() > 0
			}
			if g.mixed != mixed || mixed && !slices.Equal(g.classes, want) {
				t.Fatalf("mixed is %v, and the classes are %x, want %v, %x", g.mixed, g.classes, mixed, want)
			}
			if !mixed {
				continue
			}
			known := slices.Clone(g.classes)
			clear(g.classes)
			if _, found := g.NearestOf(fixed.Vec2{}, MaxSide, ^uint64(0)); found {
				t.Fatal("a block without the classes was looked at")
			}
			copy(g.classes, known)
		}
	}
}

// Rule: looking at a block visits the points in its cells, all and no others.
func TestABlockIsItsCells(t *testing.T) {
	r := rng.New(25)
	for range 200 {
		g := many(t, &r, false)
		g.mixed = false // look at all blocks
		bx, by := int32(draw(&r, int(g.blocks.across))), int32(draw(&r, int(g.blocks.down)))
		for _, q := range g.points {
			s := quest{g: g, classes: ClassOf(q.Class()), best: Neighbour{Squared: math.MaxUint64}}
			s.block(bx, by)
			if in := g.column(q.X)/blockCells == bx && g.row(q.Y)/blockCells == by; s.found != in {
				t.Fatalf("a point at (%d, %d) is seen in block (%d, %d): %v", q.X, q.Y, bx, by, s.found)
			}
		}
	}
}

// Rule: a block is skipped if everything that it may contain is farther away than the best point so far. Blocks at the
// edges contain all points outside; on a torus none is skipped.
func TestBlocksBeyondTheBest(t *testing.T) {
	r := rng.New(26)
	for range 3000 {
		g := area(t, Config{Width: fixed.Num(1 + draw(&r, 200)), Height: 1, Cell: fixed.Num(1 + draw(&r, 9)), Torus: draw(&r, 4) == 0})
		block, at := int32(draw(&r, int(g.blocks.across))), int32(draw(&r, 260)-30)
		distance := uint64(draw(&r, 60))
		want := !g.torus
		for x := int32(-100); x <= 300 && !g.torus; x++ {
			if d := int64(x - at); g.column(x)/blockCells == block && uint64(d*d) <= distance*distance {
				want = false
			}
		}
		s := quest{g: g, best: Neighbour{Squared: distance * distance}}
		if got := s.beyond(at, block, g.blocks.across); got != want {
			t.Fatalf("width %d, cells of %d: block %d is beyond %d of %d: %v", g.width, g.side, block, distance, at, got)
		}
	}
}

// Rule: finding the nearest point of a class needs no look at rows and columns of blocks that are beyond it.
func TestNothingIsSoughtBeyondTheBest(t *testing.T) {
	g := area(t, Config{Width: 100, Height: 100, Cell: 5})
	const here = 9
	for i, p := range []fixed.Vec2{{X: 50, Y: 1}, {X: 50, Y: 99}, {X: 1, Y: 50}, {X: 99, Y: 50}} {
		g.Add(uint32(i), p)
	}
	g.Add(here, fixed.Vec2{X: 50, Y: 50})
	g.Sort()
	for i := range g.points { // the others would be found first, and are where no search for the points here looks
		g.points[i].X, g.points[i].Y = 48, 50
	}
	if n, ok := g.NearestOf(fixed.Vec2{X: 48, Y: 50}, 100, 1); !ok || n.ID != here {
		t.Errorf("%v, %v", n, ok)
	}
}

// Rule: bands are rows of blocks, of nearly equal number, and each row is in the band that bandOf returns.
func TestBandsAreAlike(t *testing.T) {
	for down := 1; down < 200; down++ {
		g := area(t, Config{Width: 1, Height: fixed.Num(down) * blockCells, Cell: 1})
		for band := range bands {
			first, behind := g.bandStart(band), g.bandStart(band+1)
			if n := int(behind - first); n < down/bands-1 || n > down/bands+1 {
				t.Errorf("%d of %d rows are in band %d", n, down, band)
			}
			for row := first; row < behind; row++ {
				if g.bandOf(uint32(row)) != uint32(band) {
					t.Errorf("row %d of %d is in band %d, and not in %d", row, down, g.bandOf(uint32(row)), band)
				}
			}
		}
		if g.bandStart(0) != 0 || g.bandStart(bands) != int32(down) {
			t.Errorf("bands go from %d to %d of %d rows", g.bandStart(0), g.bandStart(bands), down)
		}
	}
}

// Rule: points with ascending ids are not sorted by id, in one part or in several; others are.
func TestRisingIDsAreNotSorted(t *testing.T) {
	for what, c := range map[string]struct {
		own    []uint32
		parts  [][]uint32
		sorted bool
	}{
		"none":                {nil, nil, false},
		"own":                 {[]uint32{0, 1, 5}, nil, false},
		"parts":               {[]uint32{0}, [][]uint32{nil, {1, 2}, {3}, nil, {4}}, false},
		"a part that falls":   {nil, [][]uint32{{2, 1}}, true},
		"twice in a part":     {nil, [][]uint32{{2, 2}}, true},
		"parts that fall":     {[]uint32{7}, [][]uint32{nil, {6}}, true},
		"twice in two parts":  {[]uint32{7}, [][]uint32{nil, {7}}, true},
		"the last one falls":  {[]uint32{3}, [][]uint32{{4}, {5, 6}, {1}}, true},
		"the first one fell":  {[]uint32{3, 2}, [][]uint32{{4}, {5, 6}}, true},
		"all before it fell":  {[]uint32{3, 2, 1}, [][]uint32{{9}}, true},
		"an empty one before": {nil, [][]uint32{nil, nil, {0}}, false},
	} {
		g := area(t, Config{Width: 10, Height: 10, Cell: 10})
		for range 2 { // the second time nothing of the first is left
			g.unordered = nil
			parts := g.Divide(len(c.parts))
			if len(parts) != len(c.parts) {
				t.Fatalf("%d parts, want %d", len(parts), len(c.parts))
			}
			for _, id := range c.own {
				g.Add(id, fixed.Vec2{X: fixed.Num(id)})
			}
			for i, list := range c.parts {
				for _, id := range list {
					parts[i].AddMarked(id, fixed.Vec2{X: fixed.Num(id)}, 0)
				}
			}
			g.Sort()
			if sorted := len(g.unordered) > 0; sorted != c.sorted || !slices.IsSortedFunc(g.points, byID) {
				t.Errorf("%s: sorted: %v; %v", what, sorted, g.points)
			}
		}
	}
}
