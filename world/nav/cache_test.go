package nav

import (
	"slices"
	"testing"
)

// Rule: in addition to the fields in use, at most as many are kept as the cache holds: the most recently requested
// ones.
func TestACacheKeepsSoMany(t *testing.T) {
	for most, want := range map[int]int{-1: 0, 1: 1, 3: 3, 0: 5} {
		g, n := open(t, 2*Side, Side)
		n.cache.most = max(New(Config{Cache: most}).cache.most, 0)
		var ways [5]Way
		for i := range ways {
			answer(t, n, &ways[i], []Cell{CellAt(i, 1)}, nil)
			look(t, n, g) // fields requested earlier are no longer in use
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

// Rule: a field that is not in use is dropped as soon as the cache is full, even within a step. Fields in use stay, even
// above the limit.
func TestRoomIsMadeWithinAStep(t *testing.T) {
	g, n := open(t, 2*Side, Side)
	n.cache.most = 3
	var ways [6]Way
	for i := range ways {
		answer(t, n, &ways[i], []Cell{CellAt(i, 1)}, nil)
	}
	n.cache.tick()
	n.cache.fields, n.cache.spare = nil, nil
	field := func(i, want int, built bool) {
		t.Helper()
		before := n.Stats()
		n.Field(&ways[i])
		if after := n.Stats(); len(n.cache.fields) != want || (after.Built == before.Built+1) != built {
			t.Errorf("after way %d there are %d fields, want %d; built: %v", i, len(n.cache.fields), want, !built)
		}
	}
	for i := range 3 {
		field(i, i+1, true)
		look(t, n, g)
	}
	field(1, 3, false)
	field(3, 3, true) // in place of 0
	field(2, 3, false)
	field(0, 4, true) // all others are in use
	field(1, 4, false)
	look(t, n, g)
	if len(n.cache.fields) != 3 {
		t.Errorf("after the step there are %d", len(n.cache.fields))
	}
}

// Rule: the cache keeps as many plans as fields, and at least one: the most recently used ones.
func TestPlansAreKept(t *testing.T) {
	for most, want := range map[int]int{0: 1, 1: 1, 3: 3} {
		_, n := open(t, 2*Side, Side)
		n.cache.most = most
		var ways [5]Way
		for i := range ways {
			ways[i] = Way{Ticket: 1, GoalCount: 1, StartCount: 1}
			ways[i].Goals[0], ways[i].Starts[0] = CellAt(i, 1), CellAt(20, 3)
		}
		plan := func(i int, found bool) {
			t.Helper()
			before := n.Stats()
			n.plan(&ways[i])
			if after := n.Stats(); (after.PlansFound == before.PlansFound+1) != found || (after.Planned == before.Planned+1) == found {
				t.Errorf("of %d plans, that of way %d is kept: %v", most, i, !found)
			}
		}
		for i := range want {
			plan(i, false)
		}
		for i := range want {
			plan(i, true)
		}
		plan(0, true)  // so that it is the newest
		plan(4, false) // in place of the oldest
		for i := range want {
			if want > 1 && i != 1 {
				plan(i, true)
			}
		}
		plan(4, true)
		if want > 1 {
			plan(1, false)
		}
		if len(n.cache.plans) != want {
			t.Errorf("of %d plans %d are kept", most, len(n.cache.plans))
		}
	}
}

// Rule: a plan belongs to the current map. After a change the request is planned again, and when the change is undone,
// the previous plan is found.
func TestAPlanIsOfTheMapAsItIs(t *testing.T) {
	g, n := open(t, 6*Side, 6*Side)
	w := Way{Ticket: 1, GoalCount: 1, StartCount: 1}
	w.Goals[0], w.Starts[0] = CellAt(90, 8), CellAt(2, 8)
	direct := n.plan(&w).route
	ask := func(planned, found int) Sectors {
		t.Helper()
		fresh := New(Config{})
		look(t, fresh, g)
		p, want := n.plan(&w), fresh.plan(&w)
		if *p != *want {
			t.Errorf("a plan of %v, and of a new navigator %v", p.route, want.route)
		}
		if s := n.Stats(); s.Planned != planned || s.PlansFound != found {
			t.Errorf("planned and found: %d and %d, want %d and %d", s.Planned, s.PlansFound, planned, found)
		}
		return p.route
	}
	g.Fill(40, 0, 1, 80, Blocked)
	look(t, n, g)
	if ask(2, 0) == direct {
		t.Error("the way is the same around a wall")
	}
	ask(2, 1)
	g.Fill(40, 0, 1, 80, 1)
	look(t, n, g)
	if ask(2, 2) != direct {
		t.Error("without the wall it is another one than before")
	}
}

// Rule: equal requests are the same question, whatever the order of their cells, and whichever of Whole and Widen is not
// 0.
func TestTheSameRequestIsOneQuestion(t *testing.T) {
	_, n := open(t, 2*Side, Side)
	w := Way{GoalCount: 2, StartCount: 2, Whole: 1}
	w.Goals[0], w.Goals[1], w.Starts[0], w.Starts[1] = 1, 2, 3, 4
	want := n.ask(&w)
	for _, other := range []Way{{Widen: 1}, {Whole: 1, Widen: 1}, {Whole: 2}, {Whole: 1, Widen: 2}, {Widen: 0xFFFF}} {
		other.GoalCount, other.StartCount = 2, 2
		other.Goals[0], other.Goals[1], other.Starts[0], other.Starts[1] = 2, 1, 4, 3
		if got := n.ask(&other); got != want {
			t.Errorf("whole %d, widen %d: %+v", other.Whole, other.Widen, got)
		}
	}
	w.Whole = 0
	if n.ask(&w) == want {
		t.Error("a corridor is asked for as the whole map")
	}
}

// Rule: components are computed once for each map.
func TestComponentsAreFoundOnce(t *testing.T) {
	g, n := open(t, 2*Side, Side)
	n.terrain.connect()
	n.terrain.components.of[0] = 77 // what nobody would find
	if c, ok := n.terrain.component(0); c != 77 || !ok {
		t.Errorf("they were found again: %d", c)
	}
	g.Set(3, 3, Blocked)
	look(t, n, g)
	if c, ok := n.terrain.component(0); c != 0 || !ok {
		t.Errorf("they were not found for the next map: %d", c)
	}
}

// Rule: a field is made from the one that differs in the fewest sectors, if there are at most six of them.
func TestAFieldIsMadeFromTheOneMostLikeIt(t *testing.T) {
	for sectors := 1; sectors <= mostRepaired+1; sectors++ {
		g, n := open(t, 8*Side, Side)
		w := Way{Answered: 1, Whole: 1, EndCount: 1}
		n.Field(&w)
		for s := range sectors {
			g.Set(s*Side+8, 8, 9)
		}
		look(t, n, g)
		n.Field(&w)
		if got := n.Stats(); (got.Repaired == 1) != (sectors <= 6) || got.Repaired+got.Built != 2 {
			t.Errorf("when %d sectors have changed: %+v", sectors, got)
		}
	}
	g, n := open(t, 8*Side, Side)
	w := Way{Answered: 1, Whole: 1, EndCount: 1}
	for _, cost := range [][2]uint8{{9, 1}, {9, 9}, {1, 1}, {1, 9}} {
		g.Set(8, 8, cost[0])
		g.Set(Side+8, 8, cost[1])
		look(t, n, g)
		n.Field(&w)
	}
	for _, s := range []int{0, 1, 7} { // the fields differ in 2 sectors, in 1, in 3 and in 2
		g.Set(s*Side+8, 8, 9)
	}
	look(t, n, g)
	if n.Field(&w); !slices.Equal(n.cache.sectors, []int32{7}) {
		t.Errorf("it is made from one that differs in the sectors %v", n.cache.sectors)
	}
}

// Rule: a repair reopens the sectors that have changed and those beside them, and no others.
func TestWhatARepairOpens(t *testing.T) {
	g, n := open(t, 7*Side, 7*Side)
	w := Way{Answered: 1, Whole: 1, EndCount: 1}
	n.Field(&w)
	for _, c := range []struct{ x, y, sectors int }{{3, 3, 9}, {0, 0, 4}, {6, 6, 4}, {3, 0, 6}, {6, 3, 6}} {
		g.Set(c.x*Side+8, c.y*Side+8, 9)
		look(t, n, g)
		before := n.Stats().Repaired
		n.Field(&w)
		if got := len(n.desk.again); got != c.sectors || n.Stats().Repaired != before+1 {
			t.Errorf("a change in the sector (%d, %d) opens %d, want %d", c.x, c.y, got, c.sectors)
		}
	}
}

// Rule: the last four contents of a sector are remembered, each by its number, and the last 32 of the whole map; the
// current one is never forgotten.
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
	show(4, false) // in place of 1: 0 is the current one
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
		if c.show([]uint32{i}); i == mostContents-1 {
			for j := range i {
				if c.show([]uint32{j}); c.current != numbers[j] {
					t.Errorf("content %d is forgotten before there are %d", j, mostContents)
				}
			}
			c.show([]uint32{i})
		}
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

// Rule: the work counts cells: for a new map, allocating memory, reading it and processing its sectors, and for a field
// of the whole map one and an eighth.
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

// counted is a grid that counts how many of its pages are read.
type counted struct {
	*Grid
	read int
}

func (c *counted) Page(sector int) *Page {
	c.read++
	return c.Grid.Page(sector)
}

// Rule: the pages of a map are read once when its version changes, and not otherwise.
func TestAVersionIsReadOnce(t *testing.T) {
	g, err := NewGrid(3*Side, Side, 1)
	if err != nil {
		t.Fatal(err)
	}
	c, n := &counted{Grid: g}, New(Config{})
	for i, cost := range []uint8{1, 9, 9, 1} { // which makes three versions that differ from the one before
		g.Set(0, 0, cost)
		for range 3 {
			if err := n.Look(c); err != nil {
				t.Fatal(err)
			}
		}
		if want := []int{3, 6, 6, 9}[i]; c.read != want {
			t.Errorf("after map %d, %d pages have been read, want %d", i, c.read, want)
		}
	}
}

// Rule: the version of a grid depends on its contents only, not on how they were set.
func TestAVersionIsOfTheContents(t *testing.T) {
	for _, cost := range []uint8{0, 1, 9, Blocked} {
		want, err := NewGrid(2*Side, Side, cost)
		if err != nil {
			t.Fatal(err)
		}
		g, _ := open(t, 2*Side, Side)
		g.Fill(0, 0, 2*Side, Side, cost)
		if g.Version() != want.Version() {
			t.Errorf("filled with %d it has version %x, want %x", cost, g.Version(), want.Version())
		}
		if g.Set(0, 0, cost+1); g.Version() == want.Version() {
			t.Errorf("a cell with %d changes nothing", cost+1)
		}
	}
}

// Rule: cells are hashed by splitmix64, whose first outputs from 0 and from 1234567 are these.
func TestCellsAreHashedBySplitmix(t *testing.T) {
	if a, b := mix(0), mix(1234567); a != 0xE220A8397B1DCDAF || b != 6457827717110365317 {
		t.Errorf("%#x, %d", a, b)
	}
}

// Rule: no two cells with any costs have the same contribution to the version of a grid.
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
