package nav

import "testing"

// Measures an order for 5,000 units: an army that stands in a square, with a unit in each cell, on a map of 256 × 256.
// Ask gets the cell of each unit.
func BenchmarkAsk5000(b *testing.B) {
	r := seeded(b, 5)
	g := gameMap(b, r, 256, 256)
	n := New(Config{})
	look(b, n, g)
	var starts []Cell
	for i := range 5000 {
		starts = append(starts, CellAt(90+i%71, 90+i/71))
	}
	goal, m, w := []Cell{passableCell(r, g)}, Meter{}, Way{}
	n.terrain.connect()
	medianOf(b, func() {}, func() {
		if err := n.Ask(&m, &w, goal, starts); err != nil {
			b.Fatal(err)
		}
	})
	blocked := 0
	for _, s := range starts {
		if !n.terrain.passable(s) {
			blocked++
		}
	}
	b.ReportMetric(float64(blocked), "blocked")
	b.ReportMetric(float64(w.StartCount), "starts")
}
