package nav

import (
	"reflect"
	"slices"
	"testing"
)

// naiveComponents numbers the cells that can reach each other, within the given cells.
func naiveComponents(g *Grid, within func(x, y int) bool) []int {
	of := make([]int, g.width*g.height)
	n := 0
	for at := range of {
		if of[at] != 0 || wall(g, at%g.width, at/g.width) || !within(at%g.width, at/g.width) {
			continue
		}
		n++
		of[at] = n
		for list := []int{at}; len(list) > 0; {
			x, y := list[0]%g.width, list[0]/g.width
			list = list[1:]
			for d := North; d <= NorthWest; d++ {
				if !naiveStep(g, x, y, d, within) {
					continue
				}
				if to := (y+stepY[d])*g.width + x + stepX[d]; of[to] == 0 {
					of[to] = n
					list = append(list, to)
				}
			}
		}
	}
	return of
}

// Rule: a zone is what is connected within a sector, and a component is what is connected at all.
func TestZonesAndComponentsAreNaive(t *testing.T) {
	r := seeded(t, 11)
	for range rounds(20) {
		g := randomMap(t, r, Side*(1+below(r, 5)), Side*(1+below(r, 5)))
		n := New(Config{})
		look(t, n, g)
		all := naiveComponents(g, anywhere)
		first := map[uint32]int{}
		for at, want := range all {
			c := n.terrain.cell(int32(at))
			got, ok := n.terrain.component(c)
			if ok != (want != 0) {
				t.Fatalf("%v: passable %v", c, ok)
			}
			if !ok {
				continue
			}
			if before, seen := first[got]; seen && before != want {
				t.Fatalf("%v: component %d is %d, and was %d", c, got, want, before)
			}
			first[got] = want
		}
		if want := slices.Max(all); len(first) != want {
			t.Fatalf("%d components, want %d", len(first), want)
		}
		for s := range n.terrain.zones {
			x, y := s%n.terrain.across*Side, s/n.terrain.across*Side
			zones := naiveComponents(g, func(i, j int) bool { return i/Side*Side == x && j/Side*Side == y })
			for j := range Side {
				for i := range Side {
					at := (y+j)*g.width + x + i
					want := uint8(zones[at] - 1) // in the order of their first cells, as here
					if n.terrain.zone[at] != want {
						t.Fatalf("sector %d, cell (%d, %d): zone %d, want %d", s, i, j, n.terrain.zone[at], want)
					}
				}
			}
		}
	}
}

// Rule: the data derived from a map does not depend on the maps before it, whether older or newer.
func TestTerrainDependsOnTheMapAlone(t *testing.T) {
	r := seeded(t, 12)
	for range rounds(10) {
		g := randomMap(t, r, Side*(1+below(r, 5)), Side*(1+below(r, 5)))
		n := New(Config{})
		var old []*Grid
		for range 30 {
			if len(old) > 3 && below(r, 3) == 0 { // back to an older one
				copyGrid(g, old[below(r, len(old))])
			} else {
				g.Fill(below(r, g.width), below(r, g.height), 1+below(r, 20), 1+below(r, 20), uint8(below(r, 256)))
			}
			kept, _ := NewGrid(g.width, g.height, 1)
			copyGrid(kept, g)
			old = append(old, kept)
			look(t, n, g)
			for range 5 { // so that there are links to forget
				n.planner.linksOf(below(r, len(g.pages)))
			}
			sameTerrain(t, n, g)
		}
	}
}

func copyGrid(to, from *Grid) {
	copy(to.pages, from.pages)
	to.version = from.version
}

// sameTerrain compares a navigator with a new one.
func sameTerrain(t *testing.T, n *Navigator, g *Grid) {
	t.Helper()
	fresh := New(Config{})
	look(t, fresh, g)
	n.terrain.connect()
	fresh.terrain.connect()
	if !reflect.DeepEqual(n.terrain, fresh.terrain) {
		t.Fatal("the terrain is another one")
	}
	for s := range n.planner.links {
		a, b := n.planner.linksOf(s), fresh.planner.linksOf(s)
		if !slices.Equal(a.vertices, b.vertices) || !slices.Equal(a.cells, b.cells) || !slices.Equal(a.distance, b.distance) {
			t.Fatalf("sector %d has other links", s)
		}
	}
}

// Rule: the nearest cell is the first of the nearest ones.
func TestNearestIsNaive(t *testing.T) {
	r := seeded(t, 13)
	for range rounds(100) {
		g := randomMap(t, r, Side*(1+below(r, 5)), Side*(1+below(r, 5)))
		if below(r, 3) == 0 {
			g.Fill(below(r, g.width)-20, below(r, g.height)-20, 60, 60, Blocked)
		}
		n := New(Config{})
		look(t, n, g)
		of := naiveComponents(g, anywhere)
		for range 20 {
			c := CellAt(below(r, g.width), below(r, g.height))
			if got, want := n.Nearest(c), naiveNearest(g, of, []Cell{c}, 0); got != want {
				t.Fatalf("nearest to %v: %v, want %v", c, got, want)
			}
			inside := passableCell(r, g)
			if inside == Nowhere {
				continue
			}
			component, _ := n.terrain.component(inside)
			goals := []Cell{c, CellAt(below(r, g.width), below(r, g.height))}
			want := naiveNearest(g, of, goals, of[inside.Y()*g.width+inside.X()])
			if got := n.terrain.nearest(goals, component, false); got != want {
				t.Fatalf("nearest to %v within reach of %v: %v, want %v", goals, inside, got, want)
			}
		}
	}
}

// naiveNearest looks at all cells of a component, or at all cells if it is 0.
func naiveNearest(g *Grid, of []int, targets []Cell, component int) Cell {
	best, least := Nowhere, int64(1<<40)
	for at, c := range of {
		if c == 0 || component != 0 && c != component {
			continue
		}
		for _, to := range targets {
			x, y := int64(at%g.width-to.X()), int64(at/g.width-to.Y())
			if x*x+y*y < least {
				best, least = CellAt(at%g.width, at/g.width), x*x+y*y
			}
		}
	}
	return best
}

// naiveRoute finds the shortest distance over the crossings from a start to the goals, by trying
// every step until nothing changes.
func naiveRoute(n *Navigator, start Cell, goals []Cell) int64 {
	p := n.planner
	far := map[vertex]int64{}
	improve := func(v vertex, d int64) bool {
		old, there := far[v]
		if there && old <= d {
			return false
		}
		far[v] = d
		return true
	}
	best := int64(naiveFar)
	inside := func(sector int, goals []int32, see func(l *links)) {
		l := p.linksOf(sector)
		p.inside(sector, goals...)
		see(l)
		p.leave(sector)
	}
	for _, g := range goals {
		inside(p.sector(g), []int32{p.index(g)}, func(l *links) {
			for i, v := range l.vertices {
				if d := p.distanceFrom(l.cells[i]); d != unreached {
					improve(v, int64(d))
				}
			}
			if d := p.distanceFrom(p.index(start)); p.sector(start) == p.sector(g) && d != unreached {
				best = min(best, int64(d))
			}
		})
	}
	for changed := true; changed; {
		changed = false
		for s := range p.links {
			l := p.linksOf(s)
			for j, v := range l.vertices {
				d, there := far[v]
				if !there {
					continue
				}
				changed = improve(v^1, d+5*int64(p.cost[l.cells[j]])) || changed
				for i, u := range l.vertices {
					if w := l.distance[j*len(l.vertices)+i]; w != unreached {
						changed = improve(u, d+int64(w)) || changed
					}
				}
			}
		}
	}
	inside(p.sector(start), []int32{p.index(start)}, func(l *links) {
		for i, v := range l.vertices {
			if w, d := p.distanceFrom(l.cells[i]), far[v]; w != unreached && d != 0 {
				best = min(best, d+int64(w))
			} else if _, there := far[v]; w != unreached && there {
				best = min(best, int64(w))
			}
		}
	})
	return best
}

// Rule: a route is a shortest one over the crossings, and leads from sector to sector.
func TestRoutesAreShortest(t *testing.T) {
	r := seeded(t, 14)
	routes := 0
	for range rounds(30) {
		g := randomMap(t, r, Side*(1+below(r, 5)), Side*(1+below(r, 5)))
		n := New(Config{})
		look(t, n, g)
		start := passableCell(r, g)
		if start == Nowhere {
			continue
		}
		for range 10 {
			component, _ := n.terrain.component(start)
			var goals []Cell
			for range 1 + below(r, 3) {
				c := passableCell(r, g)
				if of, _ := n.terrain.component(c); of == component && !slices.Contains(goals, c) {
					goals = append(goals, c)
				}
			}
			if len(goals) == 0 {
				continue
			}
			var set Sectors
			n.planner.route([]Cell{start}, goals, &set)
			routes++
			if got, want := int64(n.planner.far[n.planner.startVertex(0)]), naiveRoute(n, start, goals); got != want {
				t.Fatalf("from %v to %v: %d, want %d", start, goals, got, want)
			}
			connected(t, n, &set, start, goals)
		}
	}
	if routes < 20 {
		t.Errorf("only %d routes", routes)
	}
}

// connected reports whether a goal can be reached from a start within some sectors.
func connected(t *testing.T, n *Navigator, set *Sectors, start Cell, goals []Cell) {
	t.Helper()
	list := set.list(nil, n.terrain.across*n.terrain.down)
	n.desk.clear()
	n.desk.open(list, set)
	var at []int32
	for _, g := range goals {
		if set.Has(n.terrain.sector(g)) {
			at = append(at, n.terrain.index(g))
		}
	}
	n.desk.integrate(at)
	reached := n.desk.value[n.terrain.index(start)] != unreached
	n.desk.shut(slices.Concat(list, every(n)))
	if !reached {
		t.Fatalf("from %v to %v: no way within the route", start, goals)
	}
}

func every(n *Navigator) []int32 { return n.terrain.all.list(nil, n.terrain.across*n.terrain.down) }

// Rule: a route covers the sectors around it.
func TestWidenedSectors(t *testing.T) {
	r := seeded(t, 15)
	for range rounds(300) {
		across := 1 + below(r, 32)
		tt := newTerrain(across*Side, (1+below(r, maxSectors/across))*Side)
		var set, want Sectors
		for range below(r, 6) {
			set.add(below(r, across*tt.down))
		}
		for s := range across * tt.down {
			for _, o := range set.list(nil, maxSectors) {
				if dx, dy := s%across-int(o)%across, s/across-int(o)/across; max(dx, -dx, dy, -dy) <= 1 {
					want.add(s)
				}
			}
		}
		if got := tt.widened(&set); got != want {
			t.Fatalf("%d × %d: %x, want %x", across, tt.down, got, want)
		}
	}
}

// Rule: a cell can be entered at the costs 1 to 254, and at 0 and 255 it is blocked.
func TestWhichCostsBlock(t *testing.T) {
	g, n := open(t, Side, Side)
	for cost := range 256 {
		g.Set(5, 5, uint8(cost))
		look(t, n, g)
		if enters := n.Nearest(CellAt(5, 5)) == CellAt(5, 5); enters != (cost > 0 && cost < 255) {
			t.Errorf("a cost of %d can be entered: %v", cost, enters)
		}
	}
}

// Rule: cells of a sector between which one can walk without leaving it are in one zone, however winding the way.
func TestAWindingZoneIsOne(t *testing.T) {
	for turned := range 4 {
		g, n := open(t, 2*Side, 2*Side)
		set := func(x, y int) {
			if turned&1 != 0 {
				x, y = y, x
			}
			if turned&2 != 0 {
				x, y = Side-1-x, Side-1-y
			}
			g.Set(x, y, Blocked)
		}
		for x := 1; x < Side; x += 2 {
			for y := range Side - 1 { // with a gap at one end, and then at the other
				set(x, y+x/2%2)
			}
		}
		look(t, n, g)
		if got := n.terrain.zones[0]; got != 1 {
			t.Errorf("turned by %d, one winding zone counts as %d", turned, got)
		}
	}
	g, n := open(t, Side, Side)
	g.Set(1, 0, Blocked) // to the other cells of its row, a way leads from the one below
	if look(t, n, g); n.terrain.zones[0] != 1 {
		t.Errorf("around a rock in the first row there are %d zones", n.terrain.zones[0])
	}
}

// Rule: a change of any cell from any cost to any other one is another version, and so is the same change of another cell.
func TestVersionsDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for y := range 3 {
		for x := range 64 {
			for cost := range 256 {
				seen[digest(x, y, uint8(cost))] = true
			}
		}
	}
	if len(seen) != 3*64*256 {
		t.Errorf("%d of %d cells with their costs differ", len(seen), 3*64*256)
	}
}

// Rule: of two cells that are equally near, in sectors side by side, the first one row by row is the nearest.
func TestTheNearestIsTheFirstAcrossSectors(t *testing.T) {
	for _, c := range []struct{ target, first, second Cell }{
		{CellAt(Side, 5), CellAt(Side-1, 5), CellAt(Side+1, 5)},
		{CellAt(Side, Side), CellAt(Side, Side-1), CellAt(Side+1, Side)},
		{CellAt(2*Side, 5), CellAt(Side-1, 5), CellAt(3*Side+1, 5)},
	} {
		g, err := NewGrid(5*Side, 2*Side, Blocked)
		if err != nil {
			t.Fatal(err)
		}
		for _, open := range []Cell{c.first, c.second} {
			g.Set(open.X(), open.Y(), 1)
		}
		n := New(Config{})
		look(t, n, g)
		if got := n.Nearest(c.target); got != c.first {
			t.Errorf("nearest to %v is %v, want %v", c.target, got, c.first)
		}
	}
}
