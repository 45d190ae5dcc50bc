package served

import (
	"testing"
	"time"
)

// Rule: a machine that had no time makes up for ticks again after a second; if it has none again and again, after up to
// eight; and then it makes up for eight in that time. One that had time for long counts as one that never failed.
func TestWhenASlowMachineTriesToMakeUp(t *testing.T) {
	var e effort
	now := time.Minute
	for range 2 {
		if !e.due(now) {
			t.Error("a machine that always had time makes up for no tick")
		}
	}
	for _, patience := range []time.Duration{1, 2, 4, 8, 8} {
		e.failed(now)
		if e.due(now + patience*time.Second - 1) {
			t.Errorf("it tries again before %d s", patience)
		}
		now += patience * time.Second
		tries := 0
		for at := now; at < now+patience*time.Second; at += time.Millisecond {
			if e.due(at) {
				tries++
			}
		}
		if tries != effortShare {
			t.Errorf("in %d s it makes up for %d ticks", patience, tries)
		}
	}
	now += time.Minute
	e.failed(now)
	if e.due(now+leastPatience-1) || !e.due(now+leastPatience) {
		t.Error("after a minute with time for all it is as patient as before")
	}
}
