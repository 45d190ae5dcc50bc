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
		tm := timing{nominal: period, slip: time.Second}
		tm.begin(100, time.Minute)
		if c.behind {
			tm.debt.SkipLost(time.Minute-period, time.Minute-2*period, period) // a tick was late by a period
		}
		now := time.Minute + c.late
		left := tm.skipTicks(now)
		if left != c.left || tm.skipped != uint64(c.left) || tm.next != 100+c.left || tm.due != time.Minute+time.Duration(c.left)*period {
			t.Errorf("behind %v, %v late: %d ticks are left out, want %d; tick %d is due %v from then", c.behind, c.late, left, c.left, tm.next, tm.due-time.Minute)
		}
		for f := Frame(100); f < tm.next; f++ {
			if want := time.Duration(f)*period - now; tm.made[f%madeHeld] != want {
				t.Errorf("the input of tick %d, which is left out, counts as made %v ahead, want %v", f, tm.made[f%madeHeld], want)
			}
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
	f.run(mostPatience / effortShare / 2)
	k.timing.next++
	f.run(period + time.Millisecond)
	if n := lag(k); n != 0 {
		t.Errorf("after a tick it still lags by %d", n)
	}
}

// Rule: however many ticks are left out, the next one is due when it would have been: at 1,000 ticks a second, more may be left
// out at once than there are offsets on record.
func TestManyTicksAreLeftOutAtOnce(t *testing.T) {
	const late = 600
	tm := timing{nominal: time.Millisecond}
	tm.begin(100, time.Minute)
	tm.debt.SkipLost(time.Minute-time.Millisecond, time.Minute-2*time.Millisecond, time.Millisecond)
	if left := tm.skipTicks(time.Minute + late*time.Millisecond); left != late || tm.next != 100+late || tm.due != time.Minute+late*time.Millisecond {
		t.Errorf("%d are left out, the next one is %d, due after %v", left, tm.next, tm.due-time.Minute)
	}
}

// Rule: a failure counts as one of a row if it comes no later than the time that the last ones ask for: twice the patience, or
// the length of a period in which a machine hurries, after that has ended.
func TestWhatCountsAsFailingAgain(t *testing.T) {
	for later, want := range map[time.Duration]time.Duration{0: 2 * leastPatience, 1: leastPatience} {
		var e catchUpTimer
		e.failed(time.Minute)
		if e.failed(time.Minute + 2*leastPatience + later); e.patience != want {
			t.Errorf("%v later than twice its patience it waits for %v, want %v", later, e.patience, want)
		}
	}
	for later, want := range map[time.Duration]time.Duration{0: 2 * leastHurry, 1: leastHurry} {
		var h timeBudget
		h.failed(time.Minute)
		if h.failed(h.until + leastHurry + later); h.lasts != want {
			t.Errorf("%v later than as long as it has hurried, it hurries for %v, want %v", later, h.lasts, want)
		}
	}
}
