package skirmish

import (
	"testing"

	"github.com/tickback/tickback/rollback"
)

// battle is two armies of so many units in all, in the midst of a battle: they have marched at each
// other for half a minute, and nobody has fewer than a few shots in the air.
func battle(tb testing.TB, units, workers int) *field {
	tb.Helper()
	f := play(tb, Setup{Seed: 1, Size: 256, Players: 2, Units: units / 2}, workers)
	m, err := NewMap(Setup{Seed: 1, Size: 256, Players: 2})
	if err != nil {
		tb.Fatal(err)
	}
	for p := range rollback.Player(2) {
		f.group(p)
		f.order(p, Order{Verb: March, At: SpotOf(m.Starts[1-p].Vec())})
	}
	f.run(30 * TicksPerSecond)
	return f
}

// A tick of a battle of 10,000, on one worker and on two.
func BenchmarkBattle(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "one worker", 2: "two workers"}[workers], func(b *testing.B) {
			f := battle(b, 10000, workers)
			first := f.stepper.Frame()
			state, err := f.stepper.Marshal(nil)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if f.stepper.Frame() == first+10*TicksPerSecond { // the battle shall not end
					b.StopTimer()
					if err := f.stepper.Load(first, state); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
				}
				f.run(1)
			}
			b.ReportMetric(float64(f.world().Units.Len()), "units")
			b.ReportMetric(float64(f.world().Shots.Len()), "shots")
		})
	}
}
