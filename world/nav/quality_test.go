package nav

import (
	"slices"
	"testing"

	"github.com/tickback/tickback/rng"
)

// gameMap is a map like that of a strategy game: plain ground with rough patches, ridges with gaps, lakes and rocks.
func gameMap(t testing.TB, r *rng.Xorshift128Plus, width, height int) *Grid {
	t.Helper()
	g, err := NewGrid(width, height, 1)
	if err != nil {
		t.Fatal(err)
	}
	size := width * height
	for range size / 1200 {
		g.Fill(below(r, width), below(r, height), 4+below(r, 16), 4+below(r, 16), uint8(2+below(r, 3)))
	}
	for range size / 900 {
		length := 10 + below(r, 50)
		x, y := below(r, width), below(r, height)
		if below(r, 2) == 0 {
			g.Fill(x, y, length, 2, Blocked)
			g.Fill(x+below(r, length), y, 3, 2, 1)
		} else {
			g.Fill(x, y, 2, length, Blocked)
			g.Fill(x, y+below(r, length), 2, 3, 1)
		}
	}
	for range size / 2500 {
		g.Fill(below(r, width), below(r, height), 3+below(r, 14), 3+below(r, 14), Blocked)
	}
	for range size / 200 {
		g.Set(below(r, width), below(r, height), Blocked)
	}
	return g
}

// walk follows a field to its end, and returns the cost.
func walk(g *Grid, f *Field, c Cell) (cost int64, ok bool) {
	for range g.width * g.height {
		d := f.At(c.X(), c.Y())
		switch d {
		case Here:
			return cost, true
		case Lost:
			return cost, false
		}
		if !naiveStep(g, c.X(), c.Y(), d, anywhere) {
			return cost, false
		}
		c = d.From(c)
		cost += naiveWeight(g, c.X(), c.Y(), d)
	}
	return cost, false
}

// Rule: a unit that follows a field arrives, and paths along a corridor are nearly as short as on the whole map.
func TestNobodyIsStuck(t *testing.T) {
	units, size := 10000, 256
	if testing.Short() {
		units = 100
	}
	r := seeded(t, 3)
	var ratios []float64
	for done := 0; done < units; {
		g := gameMap(t, r, size, size)
		nav := New(Config{})
		look(t, nav, g)
		var goal Cell
		for i := range 100 {
			done++
			if i%10 == 0 {
				goal = passableCell(r, g) // so that its whole field is computed nine times in advance
			}
			start := passableCell(r, g)
			var w Way
			answer(t, nav, &w, []Cell{goal}, []Cell{start})
			got, ok := walk(g, nav.Field(&w), start)
			if !ok {
				t.Fatalf("from %v to %v: stuck", start, goal)
			}
			exact, _ := whole(t, nav, w.ends()...)
			best, _ := exact.Distance(start.X(), start.Y())
			if best > 0 {
				ratios = append(ratios, float64(got)/float64(best))
			}
		}
	}
	slices.Sort(ratios)
	sum := 0.0
	for _, r := range ratios {
		sum += r
	}
	t.Logf("%d ways: mean %.5f, 99%% %.4f, worst %.4f", len(ratios), sum/float64(len(ratios)), ratios[len(ratios)*99/100], ratios[len(ratios)-1])
}
