package nav

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// medianOf benchmarks an operation that is prepared each time, and reports the median, on which other activity of the
// machine has less effect than on a mean.
func medianOf(b *testing.B, prepare, operation func()) {
	b.Helper()
	b.ReportAllocs()
	var times []time.Duration
	for b.Loop() {
		b.StopTimer()
		prepare()
		b.StartTimer()
		start := time.Now()
		operation()
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2]), "median-ns")
}

func BenchmarkField(b *testing.B) {
	for _, size := range []int{256, 512} {
		r := seeded(b, 4)
		g := gameMap(b, r, size, size)
		n := New(Config{Cache: -1})
		look(b, n, g)
		b.Run(fmt.Sprintf("whole_%d", size), func(b *testing.B) {
			w := new(Way)
			medianOf(b, func() {
				n.cache.tick()
				w = new(Way)
				answer(b, n, w, []Cell{passableCell(r, g)}, nil)
			}, func() { n.Field(w) })
		})
		for s := range n.planner.links {
			n.planner.linksOf(s)
		}
		for _, field := range []bool{false, true} {
			name := map[bool]string{false: "route", true: "route_and_field"}[field]
			b.Run(fmt.Sprintf("%s_%d", name, size), func(b *testing.B) {
				m := Meter{PerTick: 1 << 30}
				list := make([]Way, 1)
				goals, starts := make([]Cell, 1), make([]Cell, 1)
				sectors, ways := 0, 0
				medianOf(b, func() {
					n.cache.tick()
					n.cache.plans = n.cache.plans[:0]
					goals[0], starts[0] = passableCell(r, g), passableCell(r, g)
				}, func() {
					if err := n.Ask(&m, &list[0], goals, starts); err != nil {
						b.Fatal(err)
					}
					n.Advance(&m, list)
					if field {
						sectors += len(n.Field(&list[0]).list)
						ways++
					}
				})
				if field {
					b.ReportMetric(float64(sectors)/float64(ways), "sectors")
				}
			})
		}
	}
}

func BenchmarkRepair(b *testing.B) {
	for _, size := range []int{256, 512} {
		b.Run(fmt.Sprintf("building_%d", size), func(b *testing.B) {
			r := seeded(b, 6)
			g := gameMap(b, r, size, size)
			n := New(Config{Cache: 1})
			look(b, n, g)
			goal := passableCell(r, g)
			_, w := whole(b, n, goal)
			medianOf(b, func() {
				g.Fill(below(r, size-2), below(r, size-2), 3, 3, uint8(below(r, 2)))
				g.Set(goal.X(), goal.Y(), 1)
				look(b, n, g)
			}, func() { n.Field(w) })
		})
	}
}
