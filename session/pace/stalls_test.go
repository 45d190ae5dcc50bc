package pace

import (
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// Rule: a stall is a run of periods whose frame could not run.
func TestRunsOfBlockedPeriodsAreStalls(t *testing.T) {
	var s Stalls
	for _, c := range []struct {
		blocked         bool
		stalls, periods uint64
	}{{false, 0, 0}, {true, 1, 1}, {true, 1, 2}, {false, 1, 2}, {true, 2, 3}, {false, 2, 3}} {
		s.Period(c.blocked)
		stalls, periods, _ := s.Count()
		if stalls != c.stalls || periods != c.periods || s.Stalled() != c.blocked {
			t.Errorf("%+v: %d stalls of %d periods, %v", c, stalls, periods, s.Stalled())
		}
	}
}

// Rule: the time lost is the tick periods in which no frame was due because an earlier one waited, for
// each player that it waited for at their end. A frame that runs within its period loses nothing.
func TestWhichPeriodsAreLost(t *testing.T) {
	var s Stalls
	is := func(step string, lost time.Duration, to ...time.Duration) {
		t.Helper()
		if _, _, d := s.Count(); d != lost {
			t.Errorf("%s: %v is lost, want %v", step, d, lost)
		}
		for p, want := range to {
			if got := s.Waited(rollback.SetOf(rollback.Player(p))); got != want {
				t.Errorf("%s: %v to player %d, want %v", step, got, p, want)
			}
		}
	}
	if _, since := s.Waiting(); since != 0 {
		t.Error("a frame waits at first")
	}
	s.Begin(10, 100)
	s.Wait(rollback.SetOf(1, 2), 12)
	if d, told := s.Resume(19); d != 7 || told {
		t.Errorf("it has waited for %v, told: %v", d, told)
	}
	s.Begin(20, 100)
	is("within its period", 0, 0, 0, 0)
	s.Wait(rollback.SetOf(1, 2), 20)
	s.Begin(30, 100)
	is("a period", 10, 0, 10, 10)
	s.Wait(rollback.SetOf(2), 35)
	if players, since := s.Waiting(); players != rollback.SetOf(2) || since != 20 {
		t.Errorf("it waits for %v since %v", players, since)
	}
	s.Begin(41, 100)
	is("a longer one", 21, 0, 10, 21)
	if d, told := s.Resume(47); d != 27 || told {
		t.Errorf("it has waited for %v, told: %v", d, told)
	}
	s.Begin(50, 100)
	is("then it runs", 21, 0, 10, 21)
	s.Wait(rollback.SetOf(1), 51)
	s.Begin(900, 100)
	is("after a sleep of our own", 121, 0, 110, 21)
	if got := s.Waited(rollback.SetOf(0, 1, 2)); got != 110 {
		t.Errorf("the three were waited for for %v", got)
	}
}

// Rule: the end of a wait is reported if the wait was. A new wait has not been reported, whatever was
// reported before.
func TestTheEndOfAWaitThatWasTold(t *testing.T) {
	var s Stalls
	at := time.Minute
	if !s.Remind(at, 0, 0) {
		t.Fatal("a wait before the match is not told")
	}
	for _, told := range []bool{false, true, false} {
		s.Wait(rollback.SetOf(1), at)
		if told && !s.Remind(at+time.Second, at, 0) {
			t.Error("it is not due")
		}
		at += time.Minute
		if d, news := s.Resume(at); d != time.Minute || news != told {
			t.Errorf("it waited for %v, news: %v, want %v", d, news, told)
		}
	}
}
