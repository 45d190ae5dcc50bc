package nav

import (
	"math"
	"slices"
	"testing"
)

// Rule: when only some sectors are open, a cell in them has the exits that lead to cells in them, and cut no corner
// outside; once they are shut, everything is as before.
func TestOpenSectorsAreExact(t *testing.T) {
	r := seeded(t, 63)
	for range rounds(100) {
		g := randomMap(t, r, Side*(1+below(r, 5)), Side*(1+below(r, 5)))
		n := New(Config{})
		look(t, n, g)
		var set Sectors
		for s := range g.pages {
			if below(r, 3) > 0 {
				set.add(s)
			}
		}
		d, list := n.desk, set.list(nil, len(g.pages))
		d.open(list, &set)
		within := func(x, y int) bool {
			return g.At(x, y) != Blocked && set.Has(y/Side*(g.width/Side)+x/Side)
		}
		for y := range g.height {
			for x := range g.width {
				want := uint8(0)
				for dir := North; dir <= NorthWest; dir++ {
					if naiveStep(g, x, y, dir, within) {
						want |= 1 << dir
					}
				}
				if got := d.exits[y*g.width+x]; got != want {
					t.Fatalf("at (%d, %d) the ways out are %08b, want %08b", x, y, got, want)
				}
				d.value[y*g.width+x] = uint32(x)
			}
		}
		d.shut(every(n))
		for i := range d.value {
			if d.value[i] != unreached || d.exits[i] != 0 {
				t.Fatalf("cell %d is still open", i)
			}
		}
	}
}

// Rule: a repair begins with the cells of the changed sectors and their neighbours, and no others, however many fields
// were computed before.
func TestCellsBesideAChangeAreExamined(t *testing.T) {
	_, n := open(t, 4*Side, 3*Side)
	d := n.desk
	for i := range Cell(3) { // each is computed from its goal only
		w := Way{Answered: 1, Whole: 1, EndCount: 1, Ends: [MaxEnds]Cell{i}}
		if n.Field(&w); len(d.keys) != 1 || d.keys[0] != uint64(i) {
			t.Errorf("a field for cell %d begins at %v", i, d.keys)
		}
	}
	for range 2 {
		for sector, c := range map[int32]struct{ x, y, width, height int }{
			0: {0, 0, Side + 1, Side + 1}, 5: {Side - 1, Side - 1, Side + 2, Side + 2}, 11: {3*Side - 1, 2*Side - 1, Side + 1, Side + 1},
		} {
			d.markChanged([]int32{sector})
			want := map[int32]bool{}
			for y := c.y; y < c.y+c.height; y++ {
				for x := c.x; x < c.x+c.width; x++ {
					want[d.index(CellAt(x, y))] = true
				}
			}
			if len(d.keys) != len(want) {
				t.Errorf("for sector %d, %d cells are looked at, want %d", sector, len(d.keys), len(want))
			}
			for _, k := range d.keys {
				if at := int32(uint32(k)); !want[at] || uint32(k>>32) != d.value[at]/8 {
					t.Errorf("for sector %d, cell %d at %d", sector, at, k>>32)
				}
			}
		}
	}
}

// Rule: what the first search has reached is forgotten when the numbers of searches wrap around.
func TestTheNumberOfASearchWraps(t *testing.T) {
	p := planner{terrain: &terrain{}, search: math.MaxUint32, reached: []uint32{1, 2, math.MaxUint32}}
	p.begin(nil)
	if p.search == 0 || slices.Contains(p.reached, p.search) {
		t.Errorf("search %d has reached %v before it began", p.search, p.reached)
	}
}

// Rule: no set has sectors that are on no map.
func TestSectorsOfNoMap(t *testing.T) {
	var all Sectors
	for i := range all {
		all[i] = math.MaxUint64
	}
	if !all.Has(0) || !all.Has(maxSectors-1) || all.Has(maxSectors) || all.Has(-1) {
		t.Error("a set has others than those up to the last")
	}
}

// Rule: the gap to a sector is the distance to its nearest cell.
func TestGapsAreNaive(t *testing.T) {
	r := seeded(t, 64)
	_, n := open(t, 4*Side, 3*Side)
	for range 200 {
		c, x, y := CellAt(below(r, 4*Side), below(r, 3*Side)), below(r, 4), below(r, 3)
		want := int64(1 << 40)
		for j := range Side {
			for i := range Side {
				want = min(want, c.squared(CellAt(x*Side+i, y*Side+j)))
			}
		}
		if got := n.terrain.gap(x, y, c); got != want {
			t.Fatalf("from %v to sector (%d, %d): %d, want %d", c, x, y, got, want)
		}
	}
}

// Rule: a search assumes plain ground to the rectangle around all starts as its lower bound: with a higher one it would
// miss shortest paths, and with a lower one it would look at more crossings.
func TestTheRestOfAWayIsEstimated(t *testing.T) {
	r := seeded(t, 65)
	for range 20 {
		g, n := open(t, Side*(1+below(r, 5)), Side*(1+below(r, 5)))
		var starts []Cell
		for range 1 + below(r, 3) {
			starts = append(starts, CellAt(below(r, g.width), below(r, g.height)))
		}
		p := n.planner
		p.begin(starts)
		for s := range g.pages {
			l := p.linksOf(s)
			for i, v := range l.vertices {
				x, y := int(l.cells[i])%g.width, int(l.cells[i])/g.width
				least := 1 << 30
				for j := p.low.Y(); j <= p.high.Y(); j++ {
					for k := p.low.X(); k <= p.high.X(); k++ {
						dx, dy := max(k-x, x-k), max(j-y, y-j)
						least = min(least, 5*max(dx, dy)+2*min(dx, dy))
					}
				}
				if got := p.ahead(v); int(got) != least {
					t.Fatalf("from (%d, %d) to %v: %d, want %d", x, y, starts, got, least)
				}
				if p.sectorOf(v) != s {
					t.Fatalf("vertex %d is in sector %d, not in %d", v, p.sectorOf(v), s)
				}
			}
		}
		for i := range starts {
			if v := p.startVertex(i); p.ahead(v) != 0 || p.startOf(v) != i {
				t.Errorf("start %d: %d ahead", i, p.ahead(v))
			}
		}
	}
}

// Rule: a narrow opening of a border has one crossing in its middle, and a wide one has crossings at both ends, and
// others between them at even distances of at most spacing.
func TestCrossingsOfABorder(t *testing.T) {
	for first := range Side {
		for width := 1; first+width <= Side; width++ {
			open := uint16((1<<width - 1) << first)
			set := chosen(open)
			if set&^open != 0 || set == 0 {
				t.Fatalf("%016b has crossings %016b", open, set)
			}
			var at []int
			for i := range Side {
				if set>>i&1 != 0 {
					at = append(at, i)
				}
			}
			last := first + width - 1
			if width < wideForTwo {
				if len(at) != 1 || at[0] != first+(width-1)/2 {
					t.Errorf("%016b has crossings %016b", open, set)
				}
				continue
			}
			least, most := Side, 0
			for i := range at[1:] {
				least, most = min(least, at[i+1]-at[i]), max(most, at[i+1]-at[i])
			}
			if at[0] != first || at[len(at)-1] != last || most > spacing || most-least > 1 || len(at) > 2 && (last-first) <= spacing*(len(at)-2) {
				t.Errorf("%016b has crossings %016b", open, set)
			}
			for second := last + 2; second < Side; second++ { // another opening changes nothing
				if got := chosen(open | 1<<second); got != set|1<<second {
					t.Errorf("%016b has crossings %016b", open|1<<second, got)
				}
			}
		}
	}
}
