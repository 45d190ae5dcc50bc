package classic

import (
	"testing"
	"time"
)

// A wait begins with the first call, at any epoch, and counts at most one second of each time between two calls. Time
// never goes back.
func TestWaitDoesNotCountSleep(t *testing.T) {
	for _, epoch := range []time.Duration{0, time.Hour, -time.Hour} {
		var w wait
		for _, c := range []struct {
			at, now, lasted time.Duration
			restarts        bool
		}{
			{at: 0, now: 0, lasted: 0},
			{at: sleep, now: sleep, lasted: sleep},
			{at: 10 * sleep, now: 10 * sleep, lasted: 2 * sleep},
			{at: 9 * sleep, now: 10 * sleep, lasted: 2 * sleep},
			{at: 10*sleep + 1, now: 10*sleep + 1, lasted: 2*sleep + 1, restarts: true},
			{at: 10*sleep + 3, now: 10*sleep + 3, lasted: 2},
		} {
			if now := w.clock(epoch + c.at); now != epoch+c.now || w.lasted() != c.lasted {
				t.Errorf("at %v: it is %v, and the wait has lasted for %v; want %v, %v", c.at, now-epoch, w.lasted(), c.now, c.lasted)
			}
			if got := w.end(time.Minute) - epoch; got != c.now-c.lasted+time.Minute || w.end(Never) != Never {
				t.Errorf("at %v: a wait of a minute ends at %v", c.at, got)
			}
			if c.restarts {
				w.restart()
			}
		}
	}
}
