package netem

import (
	"math"
	"testing"
	"time"
)

// Each distribution has the documented mean and standard deviation, and stays within its bounds.
func TestDistributionsAreWhatTheyClaim(t *testing.T) {
	const mean, draws = 1_000_000, 1 << 20 // ns
	for _, c := range []struct {
		d               Distribution
		mean, deviation int64
		most            time.Duration
	}{
		{None, 0, 0, 0},
		{Uniform, mean, mean * 1000 / 1732, 2 * mean},      // √3
		{Normal, mean, mean * 1000 / 3464, 2 * mean},       // √12
		{Exponential, mean * 9997 / 10000, mean, 8 * mean}, // 1 - e^-8
	} {
		var sum, squares, most int64
		for i := range uint64(draws) {
			x := int64(c.d.draw(mean, mix(i*golden)))
			if x < 0 || x > int64(c.most) {
				t.Fatalf("%v: %d is not within 0 to %d", c.d, x, c.most)
			}
			sum, squares, most = sum+x, squares+x*x/1000, max(most, x)
		}
		m := sum / draws
		deviation := int64(math.Sqrt(float64(squares/draws*1000 - m*m)))
		if abs(m-c.mean) > mean/300 {
			t.Errorf("%v: the mean is %d, want %d", c.d, m, c.mean)
		}
		if abs(deviation-c.deviation) > mean/100 {
			t.Errorf("%v: the standard deviation is %d, want %d", c.d, deviation, c.deviation)
		}
		if most < int64(c.most)*9/10 {
			t.Errorf("%v: the most is %d, far from %d", c.d, most, c.most)
		}
	}
}

// The extremes of the random word give the limits of each distribution, and the largest mean does not overflow.
func TestDistributionsAtTheExtremes(t *testing.T) {
	for _, mean := range []time.Duration{1, 1000, time.Second, MaxDelay} {
		for _, c := range []struct {
			d          Distribution
			zero, ones time.Duration
		}{
			{None, 0, 0},
			{Uniform, 0, 2 * mean},
			{Normal, 0, 2 * mean},
			{Exponential, 8 * mean, 0},
		} {
			if got := c.d.draw(mean, 0); got != c.zero {
				t.Errorf("%v of %v, word 0: %v, want %v", c.d, mean, got, c.zero)
			}
			if got := c.d.draw(mean, math.MaxUint64); got != c.ones {
				t.Errorf("%v of %v, word of ones: %v, want %v", c.d, mean, got, c.ones)
			}
		}
	}
}

// Normal jitter has the shape of a bell: the shares of draws within one and two standard deviations are those of a
// normal distribution, to within a percent.
func TestNormalIsABell(t *testing.T) {
	const mean, draws = 1 << 30, 1 << 18
	var one, two int64
	for i := range uint64(draws) {
		off := abs(int64(Normal.draw(mean, mix(i*golden))) - mean)
		if off < mean*1000/3464 {
			one++
		}
		if off < 2*mean*1000/3464 {
			two++
		}
	}
	if one, two := one*1000/draws, two*1000/draws; abs(one-683) > 15 || abs(two-954) > 10 {
		t.Errorf("%d‰ and %d‰ are within one and two standard deviations, want 683‰ and 954‰", one, two)
	}
}

// The exponential distribution is -ln(u) to within 0.00004 of the mean.
func TestExponentialFollowsTheLogarithm(t *testing.T) {
	const mean = 1 << 40
	for i := range uint64(1 << 14) {
		word := mix(i*golden) >> (i % 11)
		want := min(-math.Log(float64(word|1)/(1<<64)), maxExponential)
		if got := float64(Exponential.draw(mean, word)) / mean; math.Abs(got-want) > 0.00004 {
			t.Fatalf("word %#x: %v, want %v", word, got, want)
		}
	}
}

// The table has the values of its comment.
func TestLogTable(t *testing.T) {
	check := func(what string, got uint64, want float64) {
		if math.Abs(float64(got)/(1<<logPoint)-want) > 1e-15 {
			t.Errorf("%s: %#x is not %v", what, got, want)
		}
	}
	check("ln2", ln2, math.Ln2)
	for i, v := range logTable {
		check("logTable", v, math.Log1p(float64(i)/(1<<logBits)))
	}
}

func TestDistributionString(t *testing.T) {
	for d, want := range map[Distribution]string{None: "none", Uniform: "uniform", Normal: "normal", Exponential: "exponential", 9: "Distribution(9)"} {
		if d.String() != want {
			t.Errorf("%q, want %q", d, want)
		}
	}
}

func abs(x int64) int64 { return max(x, -x) }
