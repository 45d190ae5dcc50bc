package pace

import (
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

type Frame = rollback.Frame

const nominal = 20 * time.Millisecond

// Rule: it is known when the newest frames were due, and when the next ones will be, also while
// the frame of this period is blocked.
func TestWhenFramesAreDue(t *testing.T) {
	var s Schedule
	const dueFrames = 256
	s.Init(nominal, dueFrames-1)
	s.Begin(time.Second)
	was := map[Frame]time.Duration{}
	for f := Frame(0); f < 3*dueFrames; f++ {
		period := nominal + time.Duration(f%7)*time.Microsecond
		due := s.Take(period)
		s.Due(f, due)
		was[f] = due
		if s.Block(f%3 == 0); s.Blocked() != (f%3 == 0) {
			t.Fatal("it forgets that it is blocked")
		}
		frame := f + 1 // the next to run
		if s.Blocked() {
			frame = f
		}
		for back := Frame(1); back < dueFrames && back <= f; back += 97 {
			if got := s.DueAt(f-back, frame); got != was[f-back] {
				t.Fatalf("at frame %d, blocked %v: frame %d was due at %v, not at %v", f, s.Blocked(), f-back, was[f-back], got)
			}
		}
		if got := s.DueAt(f, frame); got != due {
			t.Fatalf("blocked %v: frame %d was due at %v, not at %v", s.Blocked(), f, due, got)
		}
		for ahead := range Frame(5) {
			if got, want := s.DueAt(f+1+ahead, frame), due+period+time.Duration(ahead)*nominal; got != want {
				t.Fatalf("blocked %v: frame %d will be due at %v, not at %v", s.Blocked(), f+1+ahead, want, got)
			}
		}
		s.Block(false)
	}
}

// Rule: a pause leaves at most thirty periods to catch up with.
func TestALongPauseIsForgiven(t *testing.T) {
	for late, want := range map[time.Duration]time.Duration{
		-nominal: 0, 0: 0, 30 * nominal: 0, 30*nominal + 1: 1, time.Hour: time.Hour - 30*nominal,
	} {
		var s Schedule
		s.Init(nominal, 8)
		s.Begin(time.Second)
		s.SkipAll(time.Second + late)
		if moved := s.Next() - time.Second; moved != want {
			t.Errorf("%v late: it is moved by %v, want %v", late, moved, want)
		}
	}
}

// Rule: a match has a first period and an end, which comes once.
func TestHowLongAMatchIsPlayed(t *testing.T) {
	var s Schedule
	s.Init(nominal, 8)
	if s.Uptime(time.Hour) != 0 || s.End(time.Hour) {
		t.Error("it is played before it begins")
	}
	s.Begin(time.Second)
	if got := s.Uptime(5 * time.Second); got != 4*time.Second {
		t.Errorf("it is played for %v", got)
	}
	if !s.End(6*time.Second) || s.End(7*time.Second) {
		t.Error("it ends twice, or not at all")
	}
	if got := s.Uptime(9 * time.Second); got != 5*time.Second {
		t.Errorf("it was played for %v", got)
	}
	if s.Begin(20 * time.Second); s.Uptime(21*time.Second) != time.Second {
		t.Error("it does not begin again")
	}
}

// Rule: the share of a period that has passed is neither negative nor more than all of it.
func TestHowMuchOfAPeriodHasPassed(t *testing.T) {
	var s Schedule
	s.Init(nominal, 8)
	s.SetNext(time.Second)
	for before, want := range map[time.Duration]time.Duration{
		2 * nominal: 0, nominal: 0, nominal / 4: nominal * 3 / 4, 0: nominal, -nominal: nominal,
	} {
		if got := s.Progress(time.Second - before); got != want {
			t.Errorf("%v before the next one: %v have passed, want %v", before, got, want)
		}
	}
}
