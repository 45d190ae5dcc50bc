package nav

import (
	"slices"
	"testing"
)

// Rule: the field of a whole map has the shortest distances, and of several equally good directions the first.
func TestWholeFieldsAreThoseOfTheNaiveModel(t *testing.T) {
	r := seeded(t, 1)
	for range rounds(60) {
		width, height := Side*(1+below(r, 5)), Side*(1+below(r, 5))
		g := randomMap(t, r, width, height)
		nav := New(Config{})
		look(t, nav, g)
		var goals []Cell
		for range 1 + below(r, 4) {
			if c := passableCell(r, g); c != Nowhere {
				goals = append(goals, c)
			}
		}
		if len(goals) == 0 {
			continue
		}
		f, w := whole(t, nav, goals...)
		slices.Sort(goals)
		if ends := w.ends(); !slices.Equal(ends, slices.Compact(goals)) {
			t.Fatalf("the ends are %v, the goals %v", ends, goals)
		}
		sameAsNaive(t, g, f, goals, anywhere)
	}
}

// Rule: a repaired field equals one that is computed from nothing.
func TestRepairedIsRebuilt(t *testing.T) {
	changes := 6000
	if testing.Short() {
		changes = 300
	}
	r := seeded(t, 2)
	repaired := 0
	for changes > 0 {
		g := randomMap(t, r, Side*(1+below(r, 6)), Side*(1+below(r, 6)))
		var goals []Cell
		for range 1 + below(r, 3) {
			if c := passableCell(r, g); c != Nowhere {
				goals = append(goals, c)
			}
		}
		if len(goals) == 0 {
			continue
		}
		nav := New(Config{})
		look(t, nav, g)
		_, w := whole(t, nav, goals...)
		for range 50 {
			changes--
			change(g, below(r, g.width), below(r, g.height), 1+below(r, 4), 1+below(r, 4), uint8(below(r, 4)), goals)
			look(t, nav, g)
			before := nav.Stats().Repaired
			f := nav.Field(w)
			repaired += nav.Stats().Repaired - before
			if n := len(nav.desk.again); n > 9*mostRepaired {
				t.Fatalf("a repair has opened %d sectors", n)
			}
			fresh := New(Config{})
			look(t, fresh, g)
			want := fresh.Field(w)
			for i, v := range f.values {
				if v != want.values[i] {
					t.Fatalf("block %d, cell %d: %d, %v; want %d, %v", i/area, i%area, v/8, Direction(v%8), want.values[i]/8, Direction(want.values[i]%8))
				}
			}
		}
	}
	t.Logf("%d repairs", repaired)
}

// change builds or removes walls, but not in the given cells.
func change(g *Grid, x, y, width, height int, cost uint8, but []Cell) {
	for j := y; j < y+height; j++ {
		for i := x; i < x+width; i++ {
			if !slices.Contains(but, CellAt(i, j)) {
				g.Set(i, j, cost)
			}
		}
	}
}
