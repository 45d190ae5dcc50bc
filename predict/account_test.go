package predict_test

import (
	"math"
	"testing"
	"time"

	"github.com/tickback/tickback/predict"
)

// taken counts the parts that are due.
func taken(a *predict.Account, part time.Duration) (n int) {
	for a.Take(part) {
		n++
	}
	return n
}

func TestAnAccountGivesWholePartsAndKeepsTheRest(t *testing.T) {
	var a predict.Account
	for _, c := range []struct {
		add  time.Duration
		due  int
		rest time.Duration
	}{
		{16 * ms, 0, 16 * ms},
		{16 * ms, 0, 32 * ms},
		{18 * ms, 1, 0},
		{130 * ms, 2, 30 * ms},
		{0, 0, 30 * ms},
		{-20 * ms, 0, 30 * ms}, // the clock was set back
		{20*ms - 1, 0, 50*ms - 1},
		{1, 1, 0},
	} {
		want(t, "dropped", a.Add(c.add), 0)
		want(t, "due", taken(&a, cadence), c.due)
		want(t, "rest", a.Balance(), c.rest)
	}
}

// After a hitch a bounded number of parts is due, and it is made up for once.
func TestAHitchIsDroppedBeyondTheLimit(t *testing.T) {
	a := predict.Account{Limit: 200 * ms}
	a.Add(30 * ms)
	want(t, "dropped of it", a.Add(10*time.Second), 10*time.Second-170*ms)
	want(t, "due", taken(&a, cadence), 4)
	want(t, "rest", a.Balance(), 0)
	want(t, "dropped", a.Dropped(), 10*time.Second-170*ms)
	a.Add(cadence)
	want(t, "due after it", taken(&a, cadence), 1)
	want(t, "nothing more is dropped", a.Dropped(), 10*time.Second-170*ms)
}

func TestAnAccountThatNamesNoLimitHasOne(t *testing.T) {
	for _, limit := range []time.Duration{0, -1} {
		a := predict.Account{Limit: limit}
		want(t, "dropped", a.Add(predict.DefaultLimit+1), 1)
		want(t, "balance", a.Balance(), predict.DefaultLimit)
		want(t, "all of it is there", a.Has(predict.DefaultLimit), true)
		want(t, "and no more", a.Has(predict.DefaultLimit+1), false)
	}
}

// A machine that needs longer for a part than the part lasts falls behind at a steady
// rate: what is due at once does not grow.
func TestASlowMachineDoesNotSpiral(t *testing.T) {
	const cost = 80 * ms // of simulating 50 ms
	var a predict.Account
	passed := time.Duration(0)
	for range 1000 {
		a.Add(passed)
		due := taken(&a, cadence)
		if most := int(predict.DefaultLimit / cadence); due > most {
			t.Fatalf("%d parts are due at once, more than %d", due, most)
		}
		passed = cost*time.Duration(due) + ms
	}
	if a.Dropped() < 10*time.Second {
		t.Errorf("only %v were dropped", a.Dropped())
	}
}

func TestTheEndsOfTime(t *testing.T) {
	short := predict.Account{Limit: 1}
	want(t, "dropped of a long time", short.Add(math.MaxInt64), math.MaxInt64-1)
	want(t, "and of a short one", short.Add(3), 3)
	want(t, "of both", short.Dropped(), math.MaxInt64)
	a := predict.Account{Limit: math.MaxInt64}
	want(t, "dropped", a.Add(math.MaxInt64), 0)
	want(t, "dropped of more", a.Add(math.MaxInt64), math.MaxInt64)
	want(t, "dropped of one more", a.Add(1), 1)
	want(t, "in all", a.Dropped(), math.MaxInt64)
	want(t, "nothing can be taken", a.Take(0) && a.Take(-5), true)
	want(t, "balance", a.Balance(), math.MaxInt64)
}
