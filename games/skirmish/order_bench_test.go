package skirmish

import (
	"runtime"
	"slices"
	"testing"
	"time"
)

// marchers is how many units an order is for.
const marchers = 5000

// What an order for 5,000 units costs: in the tick that carries it out, and in those of the next in which the
// meter lets the way be found and its field computed, beside a tick long after it. Each order has another goal,
// on the nearer half of the map.
func BenchmarkOrder5000(b *testing.B) {
	f := play(b, Setup{Seed: 1, Size: 256, Players: 2, Units: marchers}, 1)
	f.run(1)
	f.group(0)
	f.run(30)
	from := f.pos(f.world().Units.At(0))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const after = 8 // ticks, more than the meter needs
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
