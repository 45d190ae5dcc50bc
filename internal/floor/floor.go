// Package floor compares the speed of code with its physical limit, the floor.
//
// A shared or throttled machine changes speed from second to second, so a time alone says little. [Compare] runs,
// batch by batch in turn, the measured code and the raw work that no implementation can avoid, and reports the ratio
// of their times: whatever slows one also slows the other.
package floor

import (
	"slices"
	"testing"
	"time"
)

// Batch does n units of work. It must use its results, or the compiler removes the work.
type Batch func(n int)

// batchTime is long enough that reading the clock (tens of nanoseconds) costs less than a thousandth, and short
// enough that both batches of a pair run under the same conditions.
const batchTime = 200 * time.Microsecond

// Compare benchmarks ours against floor, and returns the median time of a unit of ours in nanoseconds. It reports:
//
//   - ns/op: that time
//   - floor-ns/op: the median time of a unit of the floor
//   - x-floor: the median over pairs of batches of ours divided by floor
func Compare(b *testing.B, floor, ours Batch) (nanoseconds float64) {
	b.Helper()
	return compare(b, 1, floor, ours)
}

// CompareWhole is like Compare, for work that can only be done in wholes of many units, such as a file of many frames:
// each call of a function does one whole.
func CompareWhole(b *testing.B, units int, floor, ours func()) (nanoseconds float64) {
	b.Helper()
	return compare(b, units, repeat(floor), repeat(ours))
}

func repeat(whole func()) Batch {
	return func(n int) {
		for range n {
			whole()
		}
	}
}

func compare(b *testing.B, units int, floor, ours Batch) float64 {
	b.Helper()
	c := newComparison(time.Now, units, floor, ours)
	for b.Loop() {
		c.pair()
	}
	nanoseconds := median(c.times)
	b.ReportMetric(nanoseconds, "ns/op")
	b.ReportMetric(median(c.floors), "floor-ns/op")
	b.ReportMetric(median(c.ratios), "x-floor")
	return nanoseconds
}

// comparison has the measured pairs of batches.
type comparison struct {
	now         func() time.Time
	units       int
	floor, ours Batch

	sizeFloor, sizeOurs   int // the sizes of their batches
	floors, times, ratios []float64
}

func newComparison(now func() time.Time, units int, floor, ours Batch) *comparison {
	c := &comparison{now: now, units: units, floor: floor, ours: ours}
	c.sizeFloor, c.sizeOurs = c.batchSize(floor), c.batchSize(ours)
	return c
}

// pair measures a batch of each function. The order changes with every pair, so that the caches affect both equally.
func (c *comparison) pair() {
	var f, o float64
	if len(c.ratios)%2 == 0 {
		f = c.perUnit(c.floor, c.sizeFloor)
		o = c.perUnit(c.ours, c.sizeOurs)
	} else {
		o = c.perUnit(c.ours, c.sizeOurs)
		f = c.perUnit(c.floor, c.sizeFloor)
	}
	c.floors, c.times, c.ratios = append(c.floors, f), append(c.times, o), append(c.ratios, o/f)
}

// perUnit measures one batch and returns the nanoseconds per unit.
func (c *comparison) perUnit(w Batch, size int) float64 {
	start := c.now()
	w(size)
	return float64(c.now().Sub(start).Nanoseconds()) / float64(size*c.units)
}

// batchSize returns the size of a batch that takes batchTime.
func (c *comparison) batchSize(w Batch) int {
	const most = 1 << 30
	w(1) // warms up the caches
	for size := 1; ; size *= 2 {
		start := c.now()
		w(size)
		if c.now().Sub(start) >= batchTime || size == most {
			return size
		}
	}
}

// median sorts v and returns its median.
func median(v []float64) float64 {
	slices.Sort(v)
	n := len(v)
	if n%2 == 1 {
		return v[n/2]
	}
	return (v[n/2-1] + v[n/2]) / 2
}
