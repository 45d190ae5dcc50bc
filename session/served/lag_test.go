package served

import (
	"testing"
	"time"
)

// Rule: a machine that had no time makes up for ticks again after a second; if it has none again and again, after up to
// eight; and then it makes up for eight in that time. One that had time for long counts as one that never failed.
func TestWhenASlowMachineTriesToMakeUp(t *testing.T) {
	var e catchUpTimer
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

// Rule: a machine that had no time hurries for four seconds; for twice as long if it then has none again soon, up to a
// minute; and for four again after it had time for long. Without a failure it does not hurry.
func TestHowLongAMachineHurries(t *testing.T) {
	var h timeBudget
	now := time.Minute
	if h.until > now {
		t.Error("it hurries before it has failed")
	}
	var first timeBudget
	if first.failed(0); first.until != leastHurry {
		t.Errorf("after a failure at once it hurries for %v", first.until)
	}
	for _, lasts := range []time.Duration{4, 8, 16, 32, 60, 60} {
		h.failed(now)
		h.failed(now + time.Second)
		if h.until != now+(lasts+1)*time.Second {
			t.Errorf("it hurries for %v, must be %v s and one", h.until-now, lasts)
		}
		now = h.until
	}
	now += 2 * time.Minute
	if h.failed(now); h.until != now+leastHurry {
		t.Errorf("after two minutes with time for all it hurries for %v", h.until-now)
	}
}
