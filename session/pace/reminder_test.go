package pace

import (
	"testing"
	"time"
)

// Rule: a wait is reported when it has lasted for a time, and every second after that; its end is
// reported if the wait was.
func TestWhenAWaitIsTold(t *testing.T) {
	const ms = time.Millisecond
	const since = time.Minute
	var r Reminder
	if r.End() {
		t.Error("a wait was told that has not begun")
	}
	for range 2 {
		for _, c := range []struct {
			after time.Duration
			due   bool
		}{{0, false}, {500*ms - 1, false}, {500 * ms, true}, {501 * ms, false}, {1500*ms - 1, false}, {1500 * ms, true}, {9 * time.Second, true}} {
			if r.Remind(since+c.after, since, 500*ms) != c.due {
				t.Errorf("after %v: %v", c.after, !c.due)
			}
		}
		if !r.End() || r.End() {
			t.Error("the end of a wait that was told is no news, or is twice")
		}
	}
}
