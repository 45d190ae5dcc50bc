package floor

import (
	"slices"
	"testing"
	"time"
)

// fakeClock moves only when work is done.
type fakeClock struct {
	now time.Time
	ran []string // the names of the batches, in order
}

func (c *fakeClock) work(name string, unit time.Duration) Batch {
	return func(n int) {
		c.now = c.now.Add(time.Duration(n) * unit)
		c.ran = append(c.ran, name)
	}
}

// Work of three times the floor is reported as three times the floor, by the
// unit, in batches that last long enough; and each side goes first in turn.
func TestComparison(t *testing.T) {
	const units = 5
	clock := &fakeClock{now: time.Unix(0, 0)}
	c := newComparison(func() time.Time { return clock.now }, units,
		clock.work("floor", 10*time.Nanosecond), clock.work("ours", 30*time.Nanosecond))
	if size := c.sizeFloor; size*10 < int(batchTime) || size*10/2 >= int(batchTime) {
		t.Errorf("a batch of %d units of 10 ns is not just above %v", size, batchTime)
	}
	clock.ran = nil
	for range 4 {
		c.pair()
	}
	if f, o, r := median(c.floors), median(c.times), median(c.ratios); f != 2 || o != 6 || r != 3 {
		t.Errorf("floor %v, ours %v, ratio %v; want 2, 6, 3", f, o, r)
	}
	want := []string{"floor", "ours", "ours", "floor", "floor", "ours", "ours", "floor"}
	if !slices.Equal(clock.ran, want) {
		t.Errorf("the order was %v, want %v", clock.ran, want)
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
