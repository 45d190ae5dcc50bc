package nav

import "testing"

// Rule: besides those in use, no more fields are kept than a cache holds: those that were asked for last.
func TestACacheKeepsSoMany(t *testing.T) {
	for most, want := range map[int]int{-1: 0, 1: 1, 3: 3, 0: 5} {
		g, n := open(t, 2*Side, Side)
		n.cache.most = max(New(Config{Cache: most}).cache.most, 0)
		var ways [5]Way
		for i := range ways {
			answer(t, n, &ways[i], []Cell{CellAt(i, 1)}, nil)
			look(t, n, g) // what was asked for before is not in use any more
			n.Field(&ways[i])
		}
		look(t, n, g)
		if got := len(n.cache.fields); got != want {
			t.Errorf("of a cache of %d, %d fields are kept, want %d", most, got, want)
		}
		before := n.Stats()
		for i := len(ways) - want; i < len(ways); i++ {
			n.Field(&ways[i])
		}
		if after := n.Stats(); after.Found-before.Found != want || after.Built != before.Built {
			t.Errorf("of a cache of %d, the last %d are not found: %+v, %+v", most, want, before, after)
		}
	}
	if got := New(Config{}).cache.most; got != DefaultCache {
		t.Error(got)
	}
}

// Rule: a sector knows the last four contents that it had, each by its number, and the whole map the last 32;
// the present one is never forgotten.
func TestContentsAreRemembered(t *testing.T) {
	p := newPages(2)
	page := func(v uint8) *Page { return &Page{v} }
	serials := map[uint8]uint32{}
	show := func(v uint8, known bool) {
		t.Helper()
		before, had := p.serials[1], p.page(1)[0]
		news := p.show(1, page(v))
		if news != (had != v || before == 0) || *p.page(1) != *page(v) {
			t.Errorf("%d is news: %v", v, news)
		}
		if got := p.serials[1]; known != (serials[v] == got) || got == 0 {
			t.Errorf("%d has number %d, was %d", v, got, serials[v])
		}
		serials[v] = p.serials[1]
	}
	for v := range uint8(history) {
		show(v, false)
		show(v, true)
	}
	for _, v := range []uint8{0, 3, 2, 1, 0} {
		show(v, true)
	}
	show(4, false) // in place of 1: 0 is the present one
	show(0, true)
	show(2, true)
	show(3, true)
	show(1, false) // in place of 0
	show(0, false) // in place of 2
	show(2, false)
	if p.serials[0] != 0 {
		t.Error("another sector has changed")
	}
	var c contents
	numbers := map[uint32]uint32{}
	for i := range uint32(mostContents + 1) {
		c.show([]uint32{i})
		for _, n := range numbers {
			if n == c.current {
				t.Fatal("two contents have one number")
			}
		}
		numbers[i] = c.current
	}
	for i := uint32(1); i <= mostContents; i++ {
		if c.show([]uint32{i}); c.current != numbers[i] {
			t.Errorf("content %d is forgotten", i)
		}
	}
	if c.show([]uint32{0}); c.current == numbers[0] || len(c.list) != mostContents {
		t.Errorf("more than %d are remembered: %d", mostContents, len(c.list))
	}
}

// Rule: the work that is counted is that of each cell: memory for it, reading it and what is made of a sector for
// a new map, and one and an eighth for a field of the whole.
func TestWorkIsCounted(t *testing.T) {
	g, err := NewGrid(6*Side, 5*Side, 1)
	if err != nil {
		t.Fatal(err)
	}
	n, sum := New(Config{}), 0
	n.Pausing(func(cells int) {
		if sum += cells; cells < cellsAtOnce {
			t.Errorf("it pauses after %d cells", cells)
		}
	})
	cells := g.width * g.height
	look(t, n, g)
	if got, memory := sum+n.terrain.spent, cells*9/16; got != memory+cells/2+cells {
		t.Errorf("a new map of %d cells is counted as %d", cells, got)
	}
	again := sum + n.terrain.spent
	g.Set(Side, Side, 9)
	look(t, n, g)
	if got := sum + n.terrain.spent - again; got != area/2+area {
		t.Errorf("a map of %d cells of which one has changed is counted as %d", cells, got)
	}
	g.Set(Side, Side, 1)
	look(t, n, g)
	w := Way{Answered: 1, Whole: 1, EndCount: 1}
	before := sum + n.terrain.spent
	n.Field(&w)
	if got := sum + n.terrain.spent - before; got != cells+cells/8 {
		t.Errorf("a field of %d cells is counted as %d", cells, got)
	}
}

// Rule: no two cells with any costs have the same part in the version of a grid.
func TestDigestsDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for y := range 20 {
		for x := range 20 {
			for cost := range 256 {
				d := digest(x, y, uint8(cost))
				if seen[d] {
					t.Fatalf("(%d, %d) with %d has the digest of another", x, y, cost)
				}
				seen[d] = true
			}
		}
	}
}

// Rule: a map has up to 262,144 cells in any shape.
func TestTheLargestMaps(t *testing.T) {
	for _, size := range [][2]int{{512, 512}, {Side, MaxCells / Side}, {MaxCells / Side, Side}} {
		g, n := open(t, size[0], size[1])
		if n.Nearest(CellAt(size[0]-1, size[1]-1)) == Nowhere || g.At(size[0], 0) != Blocked || g.At(0, size[1]) != Blocked {
			t.Errorf("%v", size)
		}
	}
}
