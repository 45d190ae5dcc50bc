package nav

import "testing"

// Rule: once a game has warmed up, its orders, its buildings and the moves of its units allocate nothing: neither on a
// new map nor on one that it had before.
func TestNoAllocations(t *testing.T) {
	g, n := open(t, 5*Side, 5*Side)
	n.cache.most = 12
	r := seeded(t, 51)
	m := &Meter{PerTick: 6000}
	ways := make([]Way, 6)
	goals, starts := make([]Cell, 2), make([]Cell, 3)
	moved := 0
	tick := func() {
		x, y, cost := below(r, g.width), below(r, g.height), uint8(below(r, 3))
		for range 2 { // the second time is a rollback
			old := g.At(x, y)
			if err := n.Look(g); err != nil {
				t.Fatal(err)
			}
			g.Set(x, y, cost)
			if err := n.Look(g); err != nil {
				t.Fatal(err)
			}
			g.Set(x, y, old)
		}
		for i := range goals {
			goals[i] = CellAt(below(r, g.width), below(r, g.height))
		}
		for i := range starts {
			starts[i] = CellAt(below(r, g.width), below(r, g.height))
		}
		w := &ways[below(r, len(ways))]
		if err := n.Ask(m, w, goals, starts); err != nil {
			t.Fatal(err)
		}
		if err := n.ReportOffField(m, w, starts[0]); err != nil {
			t.Fatal(err)
		}
		n.Advance(m, ways)
		for i := range 2 * len(ways) {
			i %= len(ways)
			if f := n.Field(&ways[i]); f != nil && f.At(30, 40) < directions {
				moved++
			}
		}
	}
	for range rounds(500) {
		tick()
	}
	if got := testing.AllocsPerRun(rounds(300), tick); got != 0 {
		t.Errorf("%v allocations a tick", got)
	}
	if s := n.Stats(); moved < rounds(1000) || min(s.Built, s.Repaired, s.Found, s.Planned) < rounds(100) {
		t.Errorf("hardly anything has happened: %d, %+v", moved, s)
	}
}
