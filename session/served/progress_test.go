package served

import (
	"testing"
	"time"
)

// Rule: of a tick period its whole has passed when a tick is due, and never more than that, nor less than nothing:
// a client may be so far ahead that it waits for many.
func TestHowMuchOfATickPeriodHasPassed(t *testing.T) {
	f := newFixture(t)
	for _, who := range []struct {
		name     string
		due      *time.Duration
		now      time.Duration // as it counts it
		progress func(now time.Duration) (passed, period time.Duration)
	}{
		{"the server", &f.server.due, f.server.clock.Internal(f.now), f.server.Progress},
		{"the client", &f.other.timing.due, f.other.clock.Internal(f.now), f.other.Progress},
	} {
		for ahead, want := range map[time.Duration]time.Duration{5 * period: 0, period: 0, period / 4: period * 3 / 4, 0: period, -5 * period: period} {
			*who.due = who.now + ahead
			if passed, of := who.progress(f.now); passed != want || of != period {
				t.Errorf("%s: %v before a tick is due, %v of %v have passed, want %v", who.name, ahead, passed, of, want)
			}
		}
	}
}
