package netem

import (
	"math"
	"testing"
)

// A probability of 0 never happens, Always always happens, and the smallest one sometimes happens.
func TestChanceOfTheExtremes(t *testing.T) {
	for _, random := range []uint32{0, 1, math.MaxUint32} {
		if PPM(0).chance().happens(random) {
			t.Errorf("never happens with %d", random)
		}
		if !Always.chance().happens(random) {
			t.Errorf("always does not happen with %d", random)
		}
	}
	if c := PPM(1).chance(); !c.happens(4294) || c.happens(4295) {
		t.Errorf("a millionth happens for %d of 2^32 numbers", c)
	}
	if c := (50 * Percent).chance(); c != 1<<31 {
		t.Errorf("a half happens for %d of 2^32 numbers", c)
	}
}

// String returns percent without rounding.
func TestPPMString(t *testing.T) {
	for p, want := range map[PPM]string{
		0: "0%", 1: "0.0001%", 10: "0.001%", 2500: "0.25%", Percent: "1%",
		12_345: "1.2345%", 999_999: "99.9999%", Always: "100%", 2_000_001: "200.0001%",
	} {
		if got := p.String(); got != want {
			t.Errorf("%d ppm is %q, want %q", uint32(p), got, want)
		}
	}
}
