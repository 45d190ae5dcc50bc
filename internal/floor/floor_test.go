package floor

import (
	"testing"
	"time"
)

// Work that takes three times as long is reported as about three times the
// floor, however fast the machine is. The bounds are wide: this is about the
// arithmetic, not the machine.
func TestCompareFindsTheRatio(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a benchmark")
	}
	sink := uint64(1)
	chain := func(times int) Batch {
		return func(n int) {
			for range n * times {
				sink = sink*6364136223846793005 + 1
			}
		}
	}
	var nanoseconds float64
	res := testing.Benchmark(func(b *testing.B) { nanoseconds = Compare(b, chain(100), chain(300)) })
	if ratio := res.Extra["x-floor"]; ratio < 2 || ratio > 4.5 {
		t.Errorf("three times the work is %.2f times the floor", ratio)
	}
	if res.Extra["ns/op"] != nanoseconds || nanoseconds <= res.Extra["floor-ns/op"] {
		t.Errorf("returned %v ns; reported %v", nanoseconds, res.Extra)
	}
}

// Wholes of many units are divided among them.
func TestCompareWholeCountsUnits(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a benchmark")
	}
	const units = 1000
	sleep := func() { time.Sleep(time.Millisecond) }
	res := testing.Benchmark(func(b *testing.B) { CompareWhole(b, units, sleep, sleep) })
	if ns := res.Extra["ns/op"]; ns < 1000 || ns > 100_000 {
		t.Errorf("a thousandth of a millisecond or more takes %.0f ns", ns)
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{[]float64{5}, 5}, {[]float64{9, 1, 5}, 5}, {[]float64{9, 1, 5, 6}, 5.5}} {
		if got := median(c.values); got != c.want {
			t.Errorf("median of %v is %v, want %v", c.values, got, c.want)
		}
	}
}
