package near_test

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/world/near"
)

func rounds(long int) int {
	if testing.Short() {
		return long / 10
	}
	return long
}

// Rule: the points within a radius are those that a look at all points finds, by ascending id.
func TestWithinIsNaive(t *testing.T) {
	r := seeded(t, 1)
	for range rounds(3000) {
		n := randomGrid(t, r)
		for range 10 {
			p, radius := n.position(r), n.radius(r)
			got, want := n.Within(nil, p, radius), byID(n.nearest(p, radius))
			if !slices.Equal(got, want) {
				t.Fatalf("%+v: within %v of %v: %v, want %v", n.config, radius, p, got, want)
			}
		}
	}
}

// Rule: the nearest points are the first of the accepted ones by distance, and then by id.
func TestNearestIsNaive(t *testing.T) {
	r := seeded(t, 2)
	for range rounds(3000) {
		n := randomGrid(t, r)
		for range 10 {
			p, radius, k := n.position(r), n.radius(r), 1+below(r, 8)
			var keep func(uint32) bool
			if below(r, 2) == 0 {
				odd := uint32(below(r, 3))
				keep = func(id uint32) bool { return id%3 == odd }
			}
			var want []near.Neighbour
			for _, found := range n.nearest(p, radius) {
				if len(want) < k && (keep == nil || keep(found.ID)) {
					want = append(want, found)
				}
			}
			if got := n.AppendNearest(nil, k, p, radius, keep); !slices.Equal(got, want) {
				t.Fatalf("%+v: nearest %d within %v of %v: %v, want %v", n.config, k, radius, p, got, want)
			}
			one, ok := n.Nearest(p, radius, keep)
			if ok != (len(want) > 0) || ok && one != want[0] {
				t.Fatalf("nearest: %v, %v; want %v", one, ok, want)
			}
		}
	}
}

// Rule: each pair is visited once.
func TestPairsAreNaive(t *testing.T) {
	r := seeded(t, 3)
	pairs := 0
	for range rounds(2000) {
		n := randomGrid(t, r)
		radius := n.radius(r)
		got := slices.Collect(n.Pairs(radius))
		slices.SortFunc(got, comparePairs)
		var want []near.Pair
		for a, p := range n.points {
			for _, b := range n.nearest(p, radius) {
				if a < b.ID {
					want = append(want, near.Pair{A: a, B: b.ID, Squared: b.Squared})
				}
			}
		}
		slices.SortFunc(want, comparePairs)
		if !slices.Equal(got, want) {
			t.Fatalf("%+v: pairs within %v: %d, want %d", n.config, radius, len(got), len(want))
		}
		pairs += len(want)
	}
	if pairs < 10000 {
		t.Errorf("only %d pairs", pairs)
	}
}

func comparePairs(a, b near.Pair) int {
	return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B), cmp.Compare(a.Squared, b.Squared))
}

// Rule: the order in which points are added does not matter, not even for the order of the pairs.
func TestOrderOfAddingDoesNotMatter(t *testing.T) {
	r := seeded(t, 4)
	for range rounds(300) {
		n := randomGrid(t, r)
		other, err := near.New(n.config)
		if err != nil {
			t.Fatal(err)
		}
		for id, p := range n.points { // in any order
			other.Add(id, p)
		}
		other.Sort()
		radius := n.radius(r)
		if !slices.Equal(slices.Collect(n.Pairs(radius)), slices.Collect(other.Pairs(radius))) {
			t.Fatal("the pairs come in another order")
		}
	}
}

// Rule: neither does it matter if several points have the same id, which is allowed.
func TestSameIDs(t *testing.T) {
	c := near.Config{Width: 10 * fixed.One, Height: 10 * fixed.One, Cell: 10 * fixed.One}
	points := []fixed.Vec2{{X: 3}, {X: 3, Y: 2}, {X: 1}, {X: 1, Y: 2}, {X: 1, Y: 1}, {X: 1}}
	var lists, far [2][]near.Neighbour
	var pairs [2][]near.Pair
	for i := range lists {
		g := grid(t, c)
		g.Add(4, fixed.Vec2{X: 9})
		for _, p := range points {
			g.Add(5, p)
		}
		g.Sort()
		slices.Reverse(points)
		lists[i], far[i] = g.Within(nil, fixed.Vec2{}, fixed.One), g.Within(nil, fixed.Vec2{X: 4}, fixed.One)
		pairs[i] = slices.Collect(g.Pairs(fixed.One))
	}
	want := []near.Neighbour{{4, 81}, {5, 1}, {5, 1}, {5, 2}, {5, 5}, {5, 9}, {5, 13}}
	if !slices.Equal(lists[0], want) || !slices.Equal(lists[1], want) || !slices.Equal(pairs[0], pairs[1]) || len(pairs[0]) != 21 {
		t.Errorf("%v, %v, want %v; %v, %v", lists[0], lists[1], want, pairs[0], pairs[1])
	}
	want = []near.Neighbour{{4, 25}, {5, 1}, {5, 5}, {5, 9}, {5, 9}, {5, 10}, {5, 13}}
	if !slices.Equal(far[0], want) || !slices.Equal(far[1], want) {
		t.Errorf("%v, %v, want %v", far[0], far[1], want)
	}
}

// Rule: Build starts anew, whatever was added before it.
func TestBuildBeginsAnew(t *testing.T) {
	g := grid(t, near.Config{Width: fixed.One, Height: fixed.One, Cell: fixed.One})
	g.Add(3, fixed.Vec2{})
	g.Build(make([]fixed.Vec2, 2))
	if g.Len() != 2 {
		t.Error(g.Len())
	}
}

// Rule: long lists are sorted like short ones.
func TestLongLists(t *testing.T) {
	g := grid(t, near.Config{Width: 8 * fixed.One, Height: 8 * fixed.One, Cell: fixed.One})
	for id := range uint32(500) {
		g.Add(id*7919%500, fixed.Vec2{X: fixed.FromInt(int64(id) % 8), Y: fixed.FromInt(int64(id) / 8 % 8)})
	}
	g.Sort()
	list := g.Within(nil, fixed.Vec2{}, 20*fixed.One)
	for i, n := range list {
		if n.ID != uint32(i) {
			t.Fatalf("place %d has %d", i, n.ID)
		}
	}
	if len(list) != 500 {
		t.Error(len(list))
	}
}

// Rule: a loop over pairs may end early.
func TestPairsEnd(t *testing.T) {
	for _, torus := range []bool{false, true} {
		g := grid(t, near.Config{Width: 10 * fixed.One, Height: 10 * fixed.One, Cell: 3 * fixed.One, Torus: torus})
		g.Build([]fixed.Vec2{{}, {Y: 4 * fixed.One}, {Y: 8 * fixed.One}})
		for range g.Pairs(4 * fixed.One) { // in another row of cells; on a torus there is a third pair
			break
		}
		g.Build(make([]fixed.Vec2, 10))
		seen := 0
		for range g.Pairs(fixed.One) {
			if seen++; seen == 7 {
				break
			}
		}
		if seen != 7 {
			t.Error(seen)
		}
	}
}

func grid(t testing.TB, c near.Config) *near.Grid {
	t.Helper()
	g, err := near.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Rule: points can be found after Sort, and until then the previous ones can.
func TestFoundAfterSort(t *testing.T) {
	g := grid(t, near.Config{Width: fixed.One, Height: fixed.One, Cell: fixed.One})
	found := func() int { return len(g.Within(nil, fixed.Vec2{}, fixed.One)) }
	if g.Len() != 0 || found() != 0 {
		t.Error("an empty grid is not empty")
	}
	g.Build(make([]fixed.Vec2, 3))
	g.Clear()
	g.Add(7, fixed.Vec2{})
	if g.Len() != 3 || found() != 3 {
		t.Errorf("%d, %d", g.Len(), found())
	}
	g.Sort()
	if g.Len() != 1 || found() != 1 {
		t.Errorf("%d, %d", g.Len(), found())
	}
	if got := g.Within(nil, fixed.Vec2{}, -1); got != nil {
		t.Error(got)
	}
	if got := g.AppendNearest(nil, 0, fixed.Vec2{}, fixed.One, nil); got != nil {
		t.Error(got)
	}
}

// Rule: appending does not change what was there.
func TestListsAreAppendedTo(t *testing.T) {
	g := grid(t, near.Config{Width: fixed.One, Height: fixed.One, Cell: fixed.One})
	g.Build(make([]fixed.Vec2, 3))
	first := near.Neighbour{ID: 9, Squared: 1}
	for _, list := range [][]near.Neighbour{
		g.Within([]near.Neighbour{first}, fixed.Vec2{}, 0),
		g.AppendNearest([]near.Neighbour{first}, 3, fixed.Vec2{}, 0, nil),
	} {
		if !slices.Equal(list, []near.Neighbour{first, {ID: 0}, {ID: 1}, {ID: 2}}) {
			t.Error(list)
		}
	}
}

// Rule: an impossible or huge grid is refused.
func TestConfigIsChecked(t *testing.T) {
	for _, c := range []near.Config{
		{},
		{Height: 1, Cell: 1},
		{Width: 1, Height: 1},
		{Width: 1, Cell: 1},
		{Width: -1, Height: 1, Cell: 1},
		{Width: 1, Height: near.MaxSide + 1, Cell: near.MaxSide},
		{Width: near.MaxSide, Height: near.MaxSide, Cell: near.MaxSide + 1},
		{Width: near.MaxSide, Height: near.MaxSide, Cell: 15 * fixed.One},
		{Width: 1, Height: 1, Cell: fixed.Min},
	} {
		if _, err := near.New(c); !errors.Is(err, near.ErrConfig) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	grid(t, near.Config{Width: near.MaxSide, Height: near.MaxSide, Cell: 16 * fixed.One})
}

// Rule: several goroutines may search at the same time.
func TestSearchesRunAtOnce(t *testing.T) {
	r := seeded(t, 5)
	n := randomGrid(t, r)
	n.fill(r, 500)
	p, radius := fixed.Vec2{X: n.config.Width / 2, Y: n.config.Height / 2}, n.size/4
	want, pairs := byID(n.nearest(p, radius)), slices.Collect(n.Pairs(n.size/20))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				if !slices.Equal(n.Within(nil, p, radius), want) || !slices.Equal(slices.Collect(n.Pairs(n.size/20)), pairs) {
					t.Error("another answer")
				}
				n.Nearest(p, radius, nil)
			}
		})
	}
	group.Wait()
}

// Rule: once a grid has held as many points, filling and searching it allocates nothing.
func TestNoAllocations(t *testing.T) {
	r := seeded(t, 6)
	for _, torus := range []bool{false, true} {
		g := grid(t, near.Config{Width: 100 * fixed.One, Height: 100 * fixed.One, Cell: 4 * fixed.One, Torus: torus})
		points := make([]fixed.Vec2, 1000)
		list := make([]near.Neighbour, 0, 1000)
		pairs := 0
		round := func() {
			for i := range points {
				points[i] = fixed.Vec2{X: between(r, 0, 100*fixed.One), Y: between(r, 0, 100*fixed.One)}
			}
			g.Build(points)
			g.Clear()
			for i := range points { // descending ids, and two classes
				g.AddMarked(uint32(1000-i), points[i], uint32(i)%2)
			}
			g.Sort()
			g.NearestOf(points[3], 50*fixed.One, near.ClassOf(1))
			list = g.Within(list[:0], points[0], 10*fixed.One)
			list = g.AppendNearest(list[:0], 8, points[1], 50*fixed.One, func(id uint32) bool { return id%2 == 0 })
			for p := range g.Pairs(2 * fixed.One) {
				pairs += int(p.B)
			}
			g.Nearest(points[2], fixed.One, nil)
		}
		round()
		if n := testing.AllocsPerRun(50, round); n != 0 {
			t.Errorf("torus %v: %v allocations", torus, n)
		}
	}
}

// Rule: each point is in at most one of the lists around a position, and in one if it is within the radius; the lists
// have it as it was added.
func TestListsHaveAllOnce(t *testing.T) {
	r := seeded(t, 6)
	others := 0
	for range rounds(3000) {
		n := randomGrid(t, r)
		marks := n.mark(r)
		for range 10 {
			p, radius := n.position(r), n.radius(r)
			seen := map[uint32]bool{}
			for _, list := range n.AppendLists(nil, p, radius) {
				for _, q := range list {
					at := fixed.Vec2{X: fixed.Num(q.X), Y: fixed.Num(q.Y)}
					if seen[q.ID] || q.Mark != marks[q.ID] || q.Class() != uint8(q.Mark%near.Classes) || n.squared(at, n.points[q.ID]) != 0 {
						t.Fatalf("%+v: %+v, added at %v with %d; seen: %v", n.config, q, n.points[q.ID], marks[q.ID], seen[q.ID])
					}
					seen[q.ID] = true
				}
			}
			for _, q := range n.nearest(p, radius) {
				if !seen[q.ID] {
					t.Fatalf("%+v: %d is within %v of %v, and in no list", n.config, q.ID, radius, p)
				}
				delete(seen, q.ID)
			}
			others += len(seen)
		}
	}
	if others < 100 {
		t.Errorf("only %d others are in the lists", others)
	}
}

// mark adds the points once more, with marks, many of which have one of few classes.
func (n *random) mark(r *rng.Xorshift128Plus) map[uint32]uint32 {
	marks := map[uint32]uint32{}
	few := 1 + below(r, near.Classes)
	if below(r, 4) == 0 {
		few = 1 // of class 0 alone
	}
	n.Clear()
	for id, p := range n.points {
		marks[id] = uint32(r.Next())/near.Classes*near.Classes + uint32(below(r, few))
		n.AddMarked(id, p, marks[id])
	}
	n.Sort()
	return marks
}

// Rule: the nearest point of some classes is the first of these by distance, and then by id.
func TestNearestOfClassesIsNaive(t *testing.T) {
	r := seeded(t, 7)
	found := 0
	for range rounds(3000) {
		n := randomGrid(t, r)
		marks := n.mark(r)
		for range 10 {
			p, radius := n.position(r), n.radius(r)
			classes := r.Next()
			classes &= r.Next() // a quarter of them
			if below(r, 2) == 0 {
				classes = ^near.ClassOf(uint8(below(r, 3)))
			}
			var want near.Neighbour
			there := false
			for _, q := range n.nearest(p, radius) {
				if classes&near.ClassOf(uint8(marks[q.ID]%near.Classes)) != 0 {
					want, there = q, true
					break
				}
			}
			if got, ok := n.NearestOf(p, radius, classes); ok != there || ok && got != want {
				t.Fatalf("%+v: the nearest of %#x within %v of %v: %v, %v; want %v, %v", n.config, classes, radius, p, got, ok, want, there)
			}
			if there {
				found++
			}
		}
	}
	if found < 500 {
		t.Errorf("only %d were found", found)
	}
}

// Rule: points are of class 0 again when they are added without a mark.
func TestClassesGo(t *testing.T) {
	g := grid(t, near.Config{Width: 8 * fixed.One, Height: 8 * fixed.One, Cell: fixed.One})
	g.AddMarked(1, fixed.Vec2{}, 5)
	g.Sort()
	if _, ok := g.NearestOf(fixed.Vec2{}, fixed.One, near.ClassOf(5)); !ok {
		t.Error("the point of class 5 is not found")
	}
	g.Build(make([]fixed.Vec2, 1))
	if _, ok := g.NearestOf(fixed.Vec2{}, fixed.One, near.ClassOf(5)); ok {
		t.Error("it is still there")
	}
	if _, ok := g.NearestOf(fixed.Vec2{}, fixed.One, near.ClassOf(0)); !ok {
		t.Error("the point without a mark is not of class 0")
	}
	for mark, class := range map[uint32]uint8{0: 0, 63: 63, 64: 0, 1<<32 - 1: 63} {
		if got := (near.Point{Mark: mark}).Class(); got != class {
			t.Errorf("mark %d is class %d, want %d", mark, got, class)
		}
	}
	if _, ok := g.NearestOf(fixed.Vec2{}, -1, near.ClassOf(0)); ok || len(g.AppendLists(nil, fixed.Vec2{}, -1)) != 0 {
		t.Error("something is found within a radius below 0")
	}
}
