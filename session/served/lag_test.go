package served

import (
	"testing"
	"time"

	"github.com/tickback/tickback/session/pace"
)

// Rule: a machine that had no time makes up for ticks again after a second; if it repeatedly has none, after up to
// eight, and then it makes up for eight in that time. One that has had time for long counts as one that never failed.
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

// Rule: a machine that had no time hurries for four seconds; for twice as long if it soon has none again, up to a
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

// Rule: the debt of a machine that is as far behind as is ever caught up on is dropped all at once; one that has only
// paused, or is not as far behind, skips nothing yet.
func TestWhatIsMoreThanCanBeMadeUpForIsForgivenAtOnce(t *testing.T) {
	most := pace.MaxDebt(period)
	for _, c := range []struct {
		behind bool
		late   time.Duration
		left   Frame
	}{{true, most, Frame(most / period)}, {true, most + period, Frame(most/period) + 1}, {true, most - 1, 0}, {false, most, 0}, {false, 4 * most, 0}} {
		tm := timing{nominal: period}
		tm.begin(100, time.Minute)
		if c.behind {
			tm.debt.SkipLost(time.Minute-period, time.Minute-2*period, period) // a tick was late by a period
		}
		now := time.Minute + c.late
		left := tm.skipTicks(now)
		if left != c.left || tm.skipped != uint64(c.left) || tm.next != 100+c.left || tm.due != time.Minute+time.Duration(c.left)*period {
			t.Errorf("behind %v, %v late: %d ticks are left out, want %d; tick %d is due %v from then", c.behind, c.late, left, c.left, tm.next, tm.due-time.Minute)
		}
		if c.left > 0 == tm.catchUpTimer.due(now) {
			t.Errorf("behind %v, %v late: it tries to make up for a tick at once, or has left out none and does not", c.behind, c.late)
		}
	}
}

// Rule: a machine that lags by a tick runs that with its next one if it has had time for long, however often it had none
// before that.
func TestAMachineThatHasTimeMakesUpAtOnce(t *testing.T) {
	f := newFixture(t)
	k := f.other
	k.timing.catchUpTimer.patience = mostPatience
	f.run(time.Second)
	k.timing.next++
	f.run(period + time.Millisecond)
	if n := lag(k); n != 0 {
		t.Errorf("after a tick it still lags by %d", n)
	}
}
