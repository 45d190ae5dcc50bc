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

// Rule: an account gives whole parts and keeps the rest; what is above its limit is dropped, once.
func TestAnAccountGivesWholePartsAndKeepsTheRest(t *testing.T) {
	const longest = time.Duration(math.MaxInt64)
	for _, c := range []struct {
		limit   time.Duration
		add     []time.Duration // the last of these
		dropped time.Duration   // of it
		part    time.Duration
		due     int
		rest    time.Duration
	}{
		{0, []time.Duration{16 * ms}, 0, cadence, 0, 16 * ms},
		{0, []time.Duration{16 * ms, 16 * ms, 18 * ms}, 0, cadence, 1, 0},
		{0, []time.Duration{130 * ms}, 0, cadence, 2, 30 * ms},
		{0, []time.Duration{30 * ms, -20 * ms}, 0, cadence, 0, 30 * ms}, // the clock was set back
		{0, []time.Duration{50*ms - 1}, 0, cadence, 0, 50*ms - 1},
		{0, []time.Duration{50*ms - 1, 1}, 0, cadence, 1, 0},
		{200 * ms, []time.Duration{30 * ms, 10 * time.Second}, 10*time.Second - 170*ms, cadence, 4, 0}, // a hitch
		{200 * ms, []time.Duration{10 * time.Second, ms}, ms, cadence, 4, 0},
		{0, []time.Duration{250*ms + 1}, 1, cadence, 5, 0},
		{-1, []time.Duration{250*ms + 1}, 1, cadence, 5, 0},
		{1, []time.Duration{longest}, longest - 1, 1, 1, 0},
		{longest, []time.Duration{longest}, 0, longest, 1, 0},
		{longest, []time.Duration{longest, longest}, longest, longest, 1, 0},
	} {
		a, dropped := predict.Account{Limit: c.limit}, time.Duration(0)
		for _, d := range c.add {
			dropped = a.Add(d)
		}
		want(t, "dropped", dropped, c.dropped)
		want(t, "due", taken(&a, c.part), c.due)
		want(t, "rest", a.Balance(), c.rest)
		want(t, "nothing can be taken", a.Take(0) && a.Take(-5), true)
		want(t, "which changes nothing", a.Balance(), c.rest)
	}
	a := predict.Account{Limit: 200 * ms}
	a.Add(200 * ms)
	a.Limit = cadence
	want(t, "dropped with a lower limit", a.Add(ms), ms)
	want(t, "what was there stays", a.Balance(), 200*ms)
	want(t, "the limit by default", predict.DefaultLimit, 250*ms)
}
