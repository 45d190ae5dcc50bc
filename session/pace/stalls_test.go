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

// Rule: a frame waits from the first failed try until it runs, or the match ends,
// whichever player it waits for.
func TestHowLongFramesWait(t *testing.T) {
	var s Stalls
	lasted := func() time.Duration {
		_, _, d := s.Count()
		return d
	}
	if _, since := s.Waiting(); since != 0 {
		t.Error("a frame waits at first")
	}
	s.Wait(rollback.SetOf(1), 10)
	s.Wait(rollback.SetOf(2), 15)
	if players, since := s.Waiting(); players != rollback.SetOf(2) || since != 10 || lasted() != 0 {
		t.Errorf("it waits for %v since %v, and has waited for %v", players, since, lasted())
	}
	if d, told := s.Resume(30); d != 20 || told || lasted() != 20 {
		t.Errorf("it has waited for %v, in all %v; told: %v", d, lasted(), told)
	}
	if d, told := s.Resume(40); d != 0 || told || lasted() != 20 {
		t.Errorf("nothing waits, and it has waited for %v, in all %v; told: %v", d, lasted(), told)
	}
	if s.End(99); lasted() != 20 {
		t.Errorf("nothing waits, and at the end it has waited for %v", lasted())
	}
	s.Wait(rollback.SetOf(1), 100)
	if s.End(107); lasted() != 27 {
		t.Errorf("a frame waits at the end: in all %v", lasted())
	}
}

// Rule: the end of a wait is news if the wait was told. A wait that begins was not told, whatever
// was told before.
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
