package smooth_test

import (
	"math"
	"testing"
	"time"

	"github.com/tickback/tickback/predict/smooth"
)

const ms = time.Millisecond

// about fails unless a number is what it should be, but for rounding.
func about(t *testing.T, rule string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
		t.Errorf("%s: got %v, want %v", rule, got, want)
	}
}

// after returns what an offset is after a time.
func after(o smooth.Offset, d time.Duration) smooth.Vec {
	o.Advance(d)
	return o.At()
}

func TestAnErrorIsHalvedAndGoneWithoutAJump(t *testing.T) {
	o := smooth.Offset{HalfLife: 50 * ms, Longest: 500 * ms}
	o.Add(smooth.Vec{8, -4, 2})
	if got := o.At(); got != (smooth.Vec{8, -4, 2}) {
		t.Errorf("at once: %v", got)
	}
	end := math.Exp2(-10)
	for _, n := range []int{1, 2, 5, 9} {
		got := after(o, time.Duration(n)*50*ms)
		share := (math.Exp2(-float64(n)) - end) / (1 - end)
		about(t, "x", got[0], 8*share)
		about(t, "y", got[1], -4*share)
		about(t, "z", got[2], 2*share)
	}
	if last := after(o, 500*ms-1)[0]; last <= 0 || last > 1e-8 {
		t.Errorf("just before the end: %v", last)
	}
	for _, d := range []time.Duration{500 * ms, time.Hour, math.MaxInt64} {
		if got := after(o, d); got != (smooth.Vec{}) {
			t.Errorf("after %v: %v", d, got)
		}
	}
}

func TestAnOffsetThatSaysNothingHasDefaults(t *testing.T) {
	zero, said := smooth.Offset{}, smooth.Offset{HalfLife: smooth.DefaultHalfLife, Longest: smooth.DefaultLongest}
	negative := smooth.Offset{HalfLife: -1, Longest: -1, Snap: -1}
	for _, o := range []*smooth.Offset{&zero, &said, &negative} {
		o.Add(smooth.Vec{1e9})
	}
	for _, d := range []time.Duration{0, 30 * ms, smooth.DefaultLongest - 1, smooth.DefaultLongest} {
		if a, b, c := after(zero, d), after(said, d), after(negative, d); a != b || a != c {
			t.Errorf("after %v: %v, %v and %v", d, a, b, c)
		}
	}
}

// What is shown does not depend on how often it is drawn.
func TestTwoShortAdvancesAreALongOne(t *testing.T) {
	var long, short smooth.Offset
	long.Add(smooth.Vec{3, 5})
	short.Add(smooth.Vec{3, 5})
	long.Advance(160 * ms)
	for range 20 {
		short.Advance(8 * ms)
		short.Advance(-ms) // no time passes
	}
	if long.At() != short.At() || long.At() == (smooth.Vec{}) {
		t.Errorf("%v and %v", long.At(), short.At())
	}
}

// A second error is added to what is left, and neither is shown for longer than
// Longest after it.
func TestErrorsAddUp(t *testing.T) {
	o := smooth.Offset{HalfLife: 50 * ms, Longest: 200 * ms}
	o.Add(smooth.Vec{8})
	o.Advance(100 * ms)
	left := o.At()[0]
	o.Add(smooth.Vec{1, 2})
	about(t, "x", o.At()[0], left+1)
	about(t, "y", o.At()[1], 2)
	if got := after(o, 199*ms); got[0] <= 0 {
		t.Errorf("%v", got)
	}
	if got := after(o, 200*ms); got != (smooth.Vec{}) {
		t.Errorf("%v", got)
	}
}

func TestAFarErrorIsNotHidden(t *testing.T) {
	for _, c := range []struct {
		e      smooth.Vec
		hidden bool
	}{
		{smooth.Vec{2, 2, 0.9}, true},
		{smooth.Vec{3, 0, 0}, false},
		{smooth.Vec{-2, 2, -1}, false}, // 3 away
		{smooth.Vec{math.NaN(), 0, 0}, false},
		{smooth.Vec{0, math.Inf(1), 0}, false},
		{smooth.Vec{1e200, 1e200, 0}, false}, // its square is infinite
	} {
		o := smooth.Offset{Snap: 3}
		o.Add(c.e)
		if got := o.At() != (smooth.Vec{}); got != c.hidden {
			t.Errorf("%v: %v", c.e, o.At())
		}
	}
	// Nor is one that adds up to so far.
	o := smooth.Offset{Snap: 3}
	o.Add(smooth.Vec{2})
	o.Add(smooth.Vec{2})
	if got := o.At(); got != (smooth.Vec{}) {
		t.Errorf("%v", got)
	}
	o.Add(smooth.Vec{2})
	o.Reset()
	if got := o.At(); got != (smooth.Vec{}) {
		t.Errorf("after a reset: %v", got)
	}
	near := smooth.Offset{Snap: 0.5} // any distance above 0 is one
	near.Add(smooth.Vec{0.6})
	if got := near.At(); got != (smooth.Vec{}) {
		t.Errorf("beyond half a unit: %v", got)
	}
	infinite := smooth.Offset{}
	infinite.Add(smooth.Vec{math.Inf(-1)})
	if got := infinite.At(); got != (smooth.Vec{}) {
		t.Errorf("without a distance: %v", got)
	}
}

// However odd the times are, a part of the error is shown, and never more.
func TestOddTimesGiveAShare(t *testing.T) {
	for _, c := range []struct{ half, longest time.Duration }{
		{math.MaxInt64, 1}, {math.MaxInt64, 2}, {1, math.MaxInt64}, {1, 1}, {time.Hour, ms},
	} {
		o := smooth.Offset{HalfLife: c.half, Longest: c.longest}
		o.Add(smooth.Vec{1})
		last := 1.0
		for range 4 {
			about(t, "bounded", min(max(o.At()[0], 0), last), o.At()[0])
			last = o.At()[0]
			o.Advance(max(c.longest/4, 1))
		}
	}
	shortest := smooth.Offset{HalfLife: 1, Longest: 2}
	shortest.Add(smooth.Vec{1})
	about(t, "after half of two nanoseconds", after(shortest, 1)[0], 1.0/3)
	briefest := smooth.Offset{Longest: 1}
	briefest.Add(smooth.Vec{1})
	about(t, "after one nanosecond of one", after(briefest, 1)[0], 0)
	linear := smooth.Offset{HalfLife: math.MaxInt64, Longest: 100 * ms}
	linear.Add(smooth.Vec{1})
	about(t, "half of a short time", after(linear, 50*ms)[0], 0.5)
}

func TestTheShorterWayBetweenAngles(t *testing.T) {
	for _, c := range []struct{ from, to, want float64 }{
		{0, 1, 1}, {1, 0, -1}, {-3, 3, 6 - 2*math.Pi}, {3, -3, 2*math.Pi - 6}, {0, 2, 2}, {2, -0.5, -2.5}, {0, 4 * math.Pi, 0}, {100, 100.5, 0.5},
	} {
		about(t, "turn", smooth.Turn(c.from, c.to), c.want)
	}
}

// Rule: with Fastest, an error becomes smaller by no more than that, whatever its size and however
// often it is drawn; a small one is as without it, and a large one ends like a small one.
func TestAnErrorIsNotMadeSmallerFasterThanItMay(t *testing.T) {
	const step = time.Second / 60
	for _, size := range []float64{0.5, 10, 15.5, 16, 40, 300} {
		o, free := smooth.Offset{Fastest: 180}, smooth.Offset{}
		o.Add(smooth.Vec{size * 0.6, -size * 0.8})
		free.Add(smooth.Vec{size * 0.6, -size * 0.8})
		if o.At() != (smooth.Vec{size * 0.6, -size * 0.8}) {
			t.Errorf("%v: at once it is %v", size, o.At())
		}
		whole, same, pictures := o, true, 0
		for last := o.At(); last != (smooth.Vec{}); pictures++ {
			o.Advance(step)
			free.Advance(step)
			now := o.At()
			if d := math.Hypot(now[0]-last[0], now[1]-last[1]); d > 180*step.Seconds()+1e-6 {
				t.Fatalf("%v: %v in a picture", size, d)
			}
			if math.Hypot(now[0], now[1]) > math.Hypot(last[0], last[1]) {
				t.Fatalf("%v: it grows from %v to %v", size, last, now)
			}
			same = same && now == free.At()
			last = now
			if d := after(whole, time.Duration(pictures+1)*step); d != now {
				t.Fatalf("%v: in one step it is %v, in many %v", size, d, now)
			}
		}
		if small := size < 15.4; same != small {
			t.Errorf("%v is as without a limit: %v", size, same)
		}
		if most := 60*(0.4+size/180) + 2; float64(pictures) > most {
			t.Errorf("%v takes %d pictures", size, pictures)
		}
	}
	// What follows the even part is what a small error is from its begin on.
	long, short := smooth.Offset{Fastest: 180}, smooth.Offset{}
	most := 180 * 0.06 / math.Ln2 * (1 - math.Exp2(-400.0/60))
	long.Add(smooth.Vec{most + 18}) // 100 ms more
	short.Add(smooth.Vec{most})
	for _, d := range []time.Duration{0, 20 * ms, 200 * ms} {
		if a, b := after(long, 100*ms+d)[0], after(short, d)[0]; math.Abs(a-b) > 1e-6 {
			t.Errorf("after %v: %v and %v", d, a, b)
		}
	}
	far := smooth.Offset{Fastest: 1e-9}
	far.Add(smooth.Vec{1e300})
	if got := after(far, math.MaxInt64); got != (smooth.Vec{}) {
		t.Errorf("%v is left in the end", got)
	}
	far.Add(smooth.Vec{1})
	far.Reset()
	if got := far.At(); got != (smooth.Vec{}) {
		t.Errorf("%v is left", got)
	}
}
