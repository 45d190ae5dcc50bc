package classic

import (
	"math/big"
	"testing"
	"time"
)

// Periods are due where exact arithmetic has them, rounded down, however long the
// match: there is no drift.
func TestScheduleDoesNotDrift(t *testing.T) {
	for _, rate := range []int64{1, 3, 50, 60, 144, MaxTickRate} {
		s := schedule{rate: rate}
		for _, n := range []int64{0, 1, 2, 59, 60, 61, 1_000_000, 1<<32 - 1} {
			exact := new(big.Int).Mul(big.NewInt(n), big.NewInt(int64(time.Second)))
			exact.Div(exact, big.NewInt(rate))
			if got := s.after(n); !exact.IsInt64() || int64(got) != exact.Int64() {
				t.Errorf("%d periods at %d/s take %v, want %v ns", n, rate, got, exact)
			}
		}
	}
}

// As many periods as may be made up for are left due, and no fewer.
func TestScheduleSkipsOnlyWhatIsTooMuch(t *testing.T) {
	const begun = time.Hour
	for _, c := range []struct {
		behind time.Duration
		due    int
	}{
		{-1, 0},
		{0, 1},
		{20 * time.Millisecond, 3},
		{69 * time.Millisecond, 7},
		{70 * time.Millisecond, 8}, // all of the eight
		{79 * time.Millisecond, 8},
		{80 * time.Millisecond, 8}, // one of nine is left out
		{time.Hour, 8},
	} {
		s := schedule{rate: 100, begun: begun}
		now := begun + c.behind
		s.skip(now)
		due := 0
		for ; s.next() <= now; s.taken++ {
			due++
		}
		if next := s.next() - now; due != c.due || next <= 0 || next > 10*time.Millisecond {
			t.Errorf("%v behind: %d periods due and the next in %v, want %d", c.behind, due, next, c.due)
		}
	}
}
