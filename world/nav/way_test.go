package nav

import (
	"errors"
	"slices"
	"testing"

	"github.com/tickback/tickback/rng"
)

// Rule: the order of goals and starts does not matter, and neither do repetitions.
func TestOrderOfCellsDoesNotMatter(t *testing.T) {
	r := seeded(t, 31)
	for range rounds(200) {
		g := randomMap(t, r, Side*(1+below(r, 6)), Side*(1+below(r, 6)))
		n := New(Config{})
		look(t, n, g)
		var goals, starts []Cell
		for range 1 + below(r, MaxGoals) {
			goals = append(goals, CellAt(below(r, g.width), below(r, g.height)))
		}
		for range below(r, 40) {
			starts = append(starts, CellAt(below(r, g.width), below(r, g.height)))
		}
		var a, b Way
		answer(t, n, &a, goals, starts)
		shuffle(r, goals)
		shuffle(r, starts)
		if len(goals) < MaxGoals {
			goals = append(goals, goals[0])
		}
		if len(starts) > 0 {
			starts = append(starts, starts[0])
		}
		answer(t, n, &b, goals, starts)
		a.Ticket, b.Ticket = 0, 0
		if a != b {
			t.Fatalf("%+v\n%+v", a, b)
		}
	}
}

func shuffle(r *rng.Xorshift128Plus, list []Cell) {
	for i := range list {
		j := below(r, i+1)
		list[i], list[j] = list[j], list[i]
	}
}

// Rule: a way ends at the goals that can be reached from a start, and for a start from which none can be reached, at
// the nearest cell that can.
func TestEndsAreNaive(t *testing.T) {
	r := seeded(t, 32)
	substitutes := 0
	for range rounds(400) {
		g := randomMap(t, r, Side*(1+below(r, 4)), Side*(1+below(r, 4)))
		n := New(Config{})
		look(t, n, g)
		of := naiveComponents(g, anywhere)
		at := func(c Cell) int { return of[c.Y()*g.width+c.X()] }
		if slices.Max(of) == 0 {
			continue
		}
		var goals, starts []Cell
		for range 1 + below(r, 3) {
			goals = append(goals, CellAt(below(r, g.width), below(r, g.height)))
		}
		for range 1 + below(r, 5) {
			starts = append(starts, CellAt(below(r, g.width), below(r, g.height)))
		}
		var want []Cell
		for _, s := range starts {
			s = naiveNearest(g, of, []Cell{s}, 0)
			found := false
			for _, goal := range goals {
				if at(goal) == at(s) {
					want, found = append(want, goal), true
				}
			}
			if !found {
				substitutes++
				want = append(want, naiveNearest(g, of, goals, at(s)))
			}
		}
		slices.Sort(want)
		var w Way
		answer(t, n, &w, goals, starts)
		if got := w.ends(); !slices.Equal(got, slices.Compact(want)) {
			t.Fatalf("from %v to %v: %v, want %v", starts, goals, got, want)
		}
		f := n.Field(&w)
		for _, s := range starts {
			s = n.Nearest(s)
			if _, ok := walk(g, f, s); !ok {
				t.Fatalf("from %v to %v: stuck at once", s, goals)
			}
		}
	}
	if substitutes < rounds(400)/8 {
		t.Errorf("only %d substitutes", substitutes)
	}
}

// Rule: a field along a way has the shortest paths within the sectors that it covers, and Covers reports which these
// are.
func TestCorridorFieldsAreThoseOfTheNaiveModel(t *testing.T) {
	r := seeded(t, 33)
	partly := 0
	for range rounds(40) {
		g := randomMap(t, r, Side*(4+below(r, 5)), Side*(4+below(r, 5)))
		n := New(Config{})
		look(t, n, g)
		var w Way
		start := passableCell(r, g)
		if start == Nowhere {
			continue
		}
		answer(t, n, &w, []Cell{CellAt(below(r, g.width), below(r, g.height))}, []Cell{start})
		f := n.Field(&w)
		if len(f.list) < len(g.pages) {
			partly++
		}
		sameAsNaive(t, g, f, w.ends(), f.Covers)
		if f.At(-1, 0) != Lost || f.At(0, -1) != Lost || f.At(g.width, 0) != Lost || f.At(0, g.height) != Lost || f.Covers(1<<30, 1<<30) {
			t.Fatal("it covers what is not on the map")
		}
	}
	if partly < rounds(40)/4 {
		t.Errorf("only %d of %d fields were along a corridor", partly, rounds(40))
	}
}

// Rule: a unit that is off the field and reports that gets a path from there, along with the others.
func TestStraysAreFetched(t *testing.T) {
	g, err := NewGrid(12*Side, 12*Side, 1)
	if err != nil {
		t.Fatal(err)
	}
	n := New(Config{})
	look(t, n, g)
	ways := make([]Way, 1)
	w, m := &ways[0], &Meter{PerTick: 40000}
	start, goal, stray := CellAt(3, 3), CellAt(180, 3), CellAt(3, 180)
	if err := n.Ask(m, w, []Cell{goal}, []Cell{start}); err != nil {
		t.Fatal(err)
	}
	if n.Field(w) != nil || !w.Waiting() || w.Open() {
		t.Fatal("it is open before it was answered")
	}
	n.Advance(m, ways)
	f := n.Field(w)
	if f.At(start.X(), start.Y()) == Lost || f.At(stray.X(), stray.Y()) != Lost || f.Covers(stray.X(), stray.Y()) {
		t.Fatalf("%v, %v", f.At(start.X(), start.Y()), f.At(stray.X(), stray.Y()))
	}
	for range 2 { // the second changes nothing
		if err := n.ReportOffField(m, w, stray); err != nil {
			t.Fatal(err)
		}
	}
	if !w.Waiting() || !w.Open() || w.StartCount != 2 || m.Tickets != 2 {
		t.Fatalf("%+v", w)
	}
	if f := n.Field(w); f.At(start.X(), start.Y()) == Lost || f.At(stray.X(), stray.Y()) != Lost {
		t.Fatal("the field has changed before the answer")
	}
	if got := n.Advance(m, ways); got != 1 || w.Waiting() || w.Answered != 2 {
		t.Fatalf("%d, %+v", got, w)
	}
	f = n.Field(w)
	for _, c := range []Cell{start, stray} {
		if _, ok := walk(g, f, c); !ok {
			t.Errorf("%v is stuck", c)
		}
	}
}

// Rule: whatever is built meanwhile, all units arrive in the end, if those off the field report that.
func TestEveryoneArrives(t *testing.T) {
	r := seeded(t, 34)
	for range games(60) {
		s := newGame(t, r.Next())
		n := New(Config{})
		for range 100 {
			s.step(t, n, below(r, 12))
		}
		s.meter.PerTick = max(s.meter.PerTick, 2000)
		for range 1000 {
			s.move(t, n)
		}
		for i, u := range s.units {
			w := &s.ways[u.way]
			if f := n.Field(w); f != nil && f.At(u.at.X(), u.at.Y()) != Here {
				t.Fatalf("unit %d at %v: %v; its way ends at %v", i, u.at, f.At(u.at.X(), u.at.Y()), w.ends())
			}
		}
	}
}

// Rule: on a blocked map a way is answered, and leads nowhere.
func TestBlockedMaps(t *testing.T) {
	g, err := NewGrid(2*Side, Side, Blocked)
	if err != nil {
		t.Fatal(err)
	}
	n := New(Config{})
	look(t, n, g)
	for _, starts := range [][]Cell{nil, {CellAt(1, 1)}} {
		var w Way
		answer(t, n, &w, []Cell{CellAt(20, 3)}, starts)
		f := n.Field(&w)
		if !w.Open() || w.EndCount != 0 || f.At(1, 1) != Lost || f.At(20, 3) != Lost {
			t.Errorf("%+v: %v", w, f.At(1, 1))
		}
	}
	if got := n.Nearest(CellAt(3, 3)); got != Nowhere {
		t.Error(got)
	}
	g.Set(31, 15, 9)
	look(t, n, g)
	if got := n.Nearest(CellAt(3, 3)); got != CellAt(31, 15) {
		t.Error(got)
	}
}

// Rule: misuse is an error that says what is wrong, and changes nothing.
func TestMisuse(t *testing.T) {
	n := New(Config{})
	var m Meter
	var w Way
	cells := []Cell{CellAt(1, 1)}
	is := func(err, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	is(n.Ask(&m, &w, cells, nil), ErrNoMap)
	is(n.ReportOffField(&m, &w, cells[0]), ErrNoMap)
	if n.Field(&w) != nil || n.Advance(&m, []Way{w}) != 0 || n.Nearest(0) != Nowhere {
		t.Error("there is no map")
	}
	for _, size := range [][2]int{{0, 16}, {16, 0}, {17, 16}, {16, 8}, {512, 528}, {-16, -16}, {MaxCells, 16}, {1 << 30, 1 << 30}} {
		_, err := NewGrid(size[0], size[1], 1)
		is(err, ErrSize)
		is(n.Look(&Grid{width: size[0], height: size[1]}), ErrSize)
	}
	g, err := NewGrid(32, 16, 1)
	is(err, nil)
	look(t, n, g)
	other, _ := NewGrid(16, 32, 1)
	is(n.Look(other), ErrSize)
	is(n.Ask(&m, &w, nil, cells), ErrGoals)
	is(n.Ask(&m, &w, make([]Cell, MaxGoals+1), cells), ErrGoals)
	is(n.Ask(&m, &w, []Cell{CellAt(32, 0)}, cells), ErrCell)
	is(n.Ask(&m, &w, cells, []Cell{CellAt(0, 16)}), ErrCell)
	is(n.Ask(&m, &w, cells, []Cell{Nowhere}), ErrCell)
	is(n.ReportOffField(&m, &w, cells[0]), ErrClosed)
	if w != (Way{}) || m != (Meter{}) {
		t.Errorf("%+v, %+v", w, m)
	}
	is(n.Ask(&m, &w, cells, cells), nil)
	is(n.ReportOffField(&m, &w, CellAt(40, 1)), ErrCell)
}

// Rule: a way serves eight islands that cannot reach each other, the first ones row by row, and the whole of an island
// once a unit there has started.
func TestMoreIslandsThanAWayLeadsOn(t *testing.T) {
	r := seeded(t, 35)
	g, err := NewGrid(12*Side, Side, 1)
	if err != nil {
		t.Fatal(err)
	}
	n := New(Config{})
	var starts []Cell
	for i := range 12 { // an island in each sector, and two starts on each
		g.Fill(i*Side+Side-1, 0, 1, Side, Blocked)
		starts = append(starts, CellAt(i*Side+2, i), CellAt(i*Side+8, 15-i))
	}
	look(t, n, g)
	for range 20 {
		shuffle(r, starts)
		var w Way
		answer(t, n, &w, []Cell{CellAt(3*Side+4, 8)}, starts)
		var want []Cell
		for i := range 12 {
			want = append(want, CellAt(i*Side+2, i), CellAt(i*Side+8, 15-i))
		}
		slices.Sort(want)
		var first []Cell // the first of each island
		for _, c := range want {
			if !slices.ContainsFunc(first, func(o Cell) bool { return o.X()/Side == c.X()/Side }) {
				first = append(first, c)
			}
		}
		if got := w.starts(); !slices.Equal(got, first[:MaxStarts]) || w.Whole != 1 {
			t.Fatalf("%v, want %v", got, first[:MaxStarts])
		}
		for _, s := range starts {
			_, arrives := walk(g, n.Field(&w), s)
			led := slices.ContainsFunc(w.starts(), func(o Cell) bool { return o.X()/Side == s.X()/Side })
			if arrives != (led || s.X()/Side == 3) {
				t.Fatalf("from %v: arrives %v, led %v", s, arrives, led)
			}
		}
	}
}

// Rule: a way without starts ends at those of its goals that are passable, or, if none is, at the nearest passable cell.
// On a blocked map, and with goals outside of the map, it has no ends.
func TestEndsOfAWayWithoutStarts(t *testing.T) {
	for _, c := range []struct {
		what    string
		goals   []Cell
		blocked func(g *Grid)
		ends    []Cell
	}{
		{"open goals", []Cell{CellAt(3, 3), CellAt(20, 9)}, func(*Grid) {}, []Cell{CellAt(3, 3), CellAt(20, 9)}},
		{"one goal is blocked", []Cell{CellAt(3, 3), CellAt(20, 9)}, func(g *Grid) { g.Set(3, 3, 0) }, []Cell{CellAt(20, 9)}},
		{"all goals are blocked", []Cell{CellAt(3, 3)}, func(g *Grid) { g.Fill(2, 2, 4, 3, Blocked) }, []Cell{CellAt(3, 1)}},
		{"the whole map is blocked", []Cell{CellAt(3, 3)}, func(g *Grid) { g.Fill(0, 0, 2*Side, Side, Blocked) }, nil},
		{"goals off the map", []Cell{CellAt(99, 3), Nowhere}, func(*Grid) {}, nil},
	} {
		g, n := open(t, 2*Side, Side)
		c.blocked(g)
		look(t, n, g)
		ways, m := make([]Way, 1), Meter{PerTick: 1 << 20}
		w := &ways[0]
		*w = Way{Ticket: 1, Widen: 1, GoalCount: uint32(copy(w.Goals[:], c.goals))}
		copy(w.Goals[:], c.goals)
		n.Advance(&m, ways)
		if !w.Open() || w.Waiting() || !slices.Equal(w.ends(), c.ends) {
			t.Errorf("%s: its ends are %v, want %v", c.what, w.ends(), c.ends)
		}
		f := n.Field(w)
		if d := f.At(16, 8); (d == Lost) != (len(c.ends) == 0) {
			t.Errorf("%s: from (16, 8) one goes %v", c.what, d)
		}
	}
}

// Rule: a start on which something was built before the way is answered counts as the nearest cell that can be entered;
// if there is none, the way has no start.
func TestAStartThatWasBuiltOver(t *testing.T) {
	g, n := open(t, 8*Side, 8*Side)
	g.Fill(4*Side, 0, 1, 8*Side, Blocked)
	start := CellAt(100, 20)
	for _, goal := range []Cell{CellAt(100, 100), CellAt(20, 100)} { // on the same side of the wall, and beyond it
		g.Set(start.X(), start.Y(), 1)
		look(t, n, g)
		m, ways := &Meter{PerTick: 1 << 30}, make([]Way, 2)
		for i := range ways {
			if err := n.Ask(m, &ways[i], []Cell{goal}, []Cell{start}); err != nil {
				t.Fatal(err)
			}
			g.Set(start.X(), start.Y(), Blocked) // the second one is asked for after that
			look(t, n, g)
		}
		if n.Advance(m, ways) != 2 || ways[0].Starts[0] != start || ways[1].Starts[0] == start {
			t.Fatalf("they start at %v and %v", ways[0].Starts[0], ways[1].Starts[0])
		}
		a, b := &ways[0], &ways[1]
		if a.Route != b.Route || a.Ends != b.Ends || a.EndCount != 1 || a.Whole != 0 || a.Route.Len() < 4 {
			t.Errorf("to %v it leads to %v through %d sectors, and from the nearest cell to %v through %d", goal, a.ends(), a.Route.Len(), b.ends(), b.Route.Len())
		}
	}
	m, ways := &Meter{PerTick: 1 << 30}, make([]Way, 1)
	if err := n.Ask(m, &ways[0], []Cell{CellAt(5, 5)}, []Cell{CellAt(100, 100)}); err != nil {
		t.Fatal(err)
	}
	g.Fill(0, 0, 8*Side, 8*Side, Blocked)
	look(t, n, g)
	if n.Advance(m, ways) != 1 || ways[0].EndCount != 0 || ways[0].Whole != 1 {
		t.Errorf("on a map that is blocked it leads to %v", ways[0].ends())
	}
}
