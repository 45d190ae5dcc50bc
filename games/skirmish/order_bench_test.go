package skirmish

import (
	"runtime"
	"slices"
	"testing"
	"time"
)

// marchers is the number of units that an order is for.
const marchers = 5000

// Measures an order for 5,000 units: the tick that carries it out, and those of the following ticks in which the meter
// lets the path be found and its field computed, compared with a tick long after it. Each order has another goal, on
// the nearer half of the map.
func BenchmarkOrder5000(b *testing.B) {
	f := play(b, Setup{Seed: 1, Size: 256, Players: 2, Units: marchers}, 1)
	f.run(1)
	f.group(0)
	f.run(30)
	from := f.pos(f.world().Units.At(0))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const after = 8 // more ticks than the meter needs
	var times [after + 1][]time.Duration
	for i := 0; b.Loop(); i++ {
		x, y := from.X.Int()+int64(i*37%80), from.Y.Int()+int64(i*53%80)
		f.order(0, Order{Verb: Move, At: at(x, y)})
		for tick := range times {
			begin := processorTime()
			f.run(1)
			times[tick] = append(times[tick], processorTime()-begin)
		}
	}
	var medians [after + 1]time.Duration
	for tick, list := range times {
		slices.Sort(list)
		medians[tick] = list[len(list)/2]
	}
	b.Log(medians)
	usual := medians[after]
	b.ReportMetric(float64(usual)/1e6, "usual-ms")
	b.ReportMetric(float64(medians[0]-usual)/1e6, "order-ms")
	b.ReportMetric(float64(slices.Max(medians[1:])-usual)/1e6, "answer-ms")
}
