package skirmish

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/world"
)

// What an inquiry into a desync adds to the ticks of a match of 10,000: one operation is a match with a
// fault in it. The sessions are called more often than they tick, so an inquiry's slice mostly has a call
// of its own; one that falls together with a tick has the usual tick taken off. All matches are the same, so
// that what other programs do to one call shows in few of them: slice-ms is the most of the medians of each
// call, and slowest-ms the median of the slowest call of each match.
func BenchmarkInquiry10000(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var slowest, usual []float64
	var calls [][]time.Duration // of each call, over all matches
	for b.Loop() {
		var ticks, added []time.Duration
		d := newDuel(b, Setup{Seed: 1, Size: 256, Players: 2, Units: 5000}, func(w *World, f rollback.Frame) {
			if f == 200 {
				world.Update(w, func(w *World) { w.Units.Health.Set(w.Units.At(7), 5) })
			}
		})
		frame := rollback.Frame(0)
		d.spent = func(peer int, inquiring bool, took time.Duration) {
			if peer != 0 {
				return
			}
			ticked := d.peers[0].Frame() != frame
			frame = d.peers[0].Frame()
			switch {
			case ticked && frame > 100 && !inquiring:
				ticks = append(ticks, took)
			case ticked && inquiring:
				added = append(added, took-median(ticks))
			case inquiring:
				added = append(added, took)
			}
		}
		d.run(time.Minute)
		for i, took := range added {
			if i == len(calls) {
				calls = append(calls, nil)
			}
			calls[i] = append(calls[i], took)
		}
		slowest = append(slowest, float64(slices.Max(added))/1e6)
		usual = append(usual, float64(median(ticks))/1e6)
	}
	slices.Sort(slowest)
	slices.Sort(usual)
	b.ReportMetric(slowest[len(slowest)/2], "slowest-ms")
	most := time.Duration(0)
	for _, c := range calls {
		most = max(most, median(c))
	}
	b.ReportMetric(float64(most)/1e6, "slice-ms")
	b.ReportMetric(usual[len(usual)/2], "tick-ms")
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}
