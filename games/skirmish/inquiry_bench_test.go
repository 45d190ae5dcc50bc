package skirmish

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/world"
)

// Measures what an inquiry into a desync adds to the ticks of a match of 10,000 units: one operation is a match with a
// fault in it, and the same match without one. The sessions are called more often than they tick, so an inquiry's slice
// mostly has a call of its own; from one that coincides with a tick, the time of that tick in the match without a fault
// is subtracted. All matches are the same, so that the effect of other programs on one call shows in few of them. Of
// the additional times per call, as medians over the matches, those above 0.2 ms are reported: slice-ms is their
// median, slice99-ms their 99th percentile, and alone-ms the maximum of those without a tick, from which nothing is
// subtracted.
func BenchmarkInquiry10000(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var with, without []call
	for b.Loop() {
		with = addMatch(b, with, func(w *World, f rollback.Frame) {
			if f == 200 {
				world.Update(w, func(w *World) { w.Units.Health.Set(w.Units.At(7), 5) })
			}
		})
		without = addMatch(b, without, nil)
	}
	ticks := map[rollback.Frame]time.Duration{}
	var usual, added []time.Duration
	alone := time.Duration(0)
	for _, c := range without {
		if c.frame > 100 {
			ticks[c.frame] = median(c.took)
			usual = append(usual, ticks[c.frame])
		}
	}
	for _, c := range with {
		if !c.inquiring {
			continue
		}
		more := median(c.took) - ticks[c.frame]
		if more > 200*time.Microsecond {
			added = append(added, more)
		}
		if c.frame == 0 {
			alone = max(alone, more)
		}
	}
	slices.Sort(added)
	b.ReportMetric(float64(median(added))/1e6, "slice-ms")
	b.ReportMetric(float64(added[len(added)*99/100])/1e6, "slice99-ms")
	b.ReportMetric(float64(alone)/1e6, "alone-ms")
	b.ReportMetric(float64(median(usual))/1e6, "tick-ms")
}

// call is a call of the first peer's session, over all matches.
type call struct {
	frame     rollback.Frame // that it has computed; 0 if it computed none
	inquiring bool
	took      []time.Duration
}

// addMatch plays a match, and adds the times of its calls.
func addMatch(b *testing.B, calls []call, wrong func(w *World, f rollback.Frame)) []call {
	d := newDuel(b, Setup{Seed: 1, Size: 256, Players: 2, Units: 5000}, wrong)
	n, frame := 0, rollback.Frame(0)
	d.spent = func(peer int, inquiring bool, took time.Duration) {
		if peer != 0 {
			return
		}
		if n == len(calls) {
			c := call{inquiring: inquiring}
			if now := d.peers[0].Frame(); now != frame {
				c.frame = now
			}
			calls = append(calls, c)
		}
		frame = d.peers[0].Frame()
		calls[n].took = append(calls[n].took, took)
		n++
	}
	if wrong != nil {
		d.run(time.Minute)
	} else {
		d.play(20 * time.Second)
	}
	return calls
}

func median(list []time.Duration) time.Duration {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}
