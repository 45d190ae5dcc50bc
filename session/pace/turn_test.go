package pace

import (
	"testing"
	"time"
)

// Rule: a turn ends when nothing is due, when nothing ran, or when another frame like the last one would end later
// than a tick period after the beginning; a machine that is late by a period has as much more time as its owner
// takes between two turns, up to 100 ms.
func TestHowManyFramesATurnHas(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		what             string
		debt, cost, away time.Duration
		want             int
	}{
		{"no time passes, and all is caught up on", 10 * nominal, 0, 0, 11},
		{"frames are cheap", 10 * nominal, 2 * ms, 0, 10},
		{"half a period", 10 * nominal, nominal / 2, 0, 2},
		{"more than half", 10 * nominal, nominal/2 + 1, 0, 1},
		{"more than a period", 10 * nominal, 3 * nominal, 0, 1},
		{"not late by a period, and the owner takes long", nominal / 2, nominal * 3 / 4, 50 * ms, 1},
		{"late, and the owner takes as long as two frames", 10 * nominal, nominal, nominal, 2},
		{"late, and the owner takes long", 10 * nominal, nominal / 2, 4 * nominal, 10},
		{"late, and the owner was stopped", 100 * nominal, nominal / 2, time.Hour, 12},
	} {
		var turn Turn
		now := time.Hour
		turn.Begin(now, nominal)
		turn.More(now, now+1, true) // nothing is due
		now += c.away
		next := now - c.debt
		turn.Begin(now, nominal)
		frames := 0
		for more := true; more; {
			frames++
			now += c.cost
			next += nominal
			more = turn.More(now, next, true)
		}
		if frames != c.want {
			t.Errorf("%s: %d frames, want %d", c.what, frames, c.want)
		}
	}
	var turn Turn
	if turn.Begin(0, nominal); turn.More(0, 0, false) {
		t.Error("it goes on although nothing has run")
	}
}

// Rule: a turn is bounded on a clock that stands still.
func TestATurnIsBounded(t *testing.T) {
	var turn Turn
	turn.Begin(time.Hour, nominal)
	frames := 1
	for ; turn.More(time.Hour, time.Hour, true); frames++ {
	}
	if frames != mostFrames {
		t.Errorf("%d frames", frames)
	}
}

// Rule: a machine that had to wait for others runs one frame a turn, until nothing is due or it is late by a whole period; one that had
// not catches up at once.
func TestAfterAWaitATurnHasOneFrame(t *testing.T) {
	now := time.Hour
	var turn Turn
	turn.Begin(now, nominal)
	turn.More(now, now+nominal, true)
	// Another machine's frames take a ninth longer than this one's turns, and come just behind its look: each has its picture.
	ready, next, frame, empty := now+nominal*3/2, now+nominal, 0, 0
	for range 90 {
		now += nominal
		turn.Begin(now, nominal)
		frames, end := 0, now
		for more := true; more; {
			ran := end >= ready && end >= next
			if ran {
				frames, frame = frames+1, frame+1
				next += nominal
				ready += nominal * 10 / 9
				end += nominal / 2
			}
			more = turn.More(end, next, ran)
		}
		if frames > 1 {
			t.Fatalf("frame %d: %d frames in one turn", frame, frames)
		}
		if frames == 0 {
			empty++
			next = max(next, now) // as a session does
		}
	}
	if frame < 75 || empty < 5 {
		t.Errorf("%d frames, and %d turns had none", frame, empty)
	}

	for _, c := range []struct {
		what   string
		late   time.Duration
		waited bool
		want   int
	}{
		{"nobody was waited for", nominal * 3 / 2, false, 2},
		{"late by half a period after a frame", nominal * 3 / 2, true, 1},
		{"late by three periods", 3 * nominal, true, 3},
	} {
		var turn Turn
		now := time.Hour
		turn.Begin(now, nominal)
		turn.More(now, now+nominal, true)
		now += nominal
		turn.Begin(now, nominal)
		turn.More(now, now, !c.waited)
		turn.More(now, now+1, !c.waited)
		now += nominal
		next := now - c.late
		turn.Begin(now, nominal)
		frames := 0
		for more := true; more; {
			frames++
			next += nominal
			more = turn.More(now, next, true)
		}
		if frames != c.want {
			t.Errorf("%s: %d frames, want %d", c.what, frames, c.want)
		}
		turn.Begin(next, nominal) // nothing is due any more
		turn.More(next, next+nominal, true)
		turn.Begin(next+3*nominal/2, nominal)
		if turn.More(next+3*nominal/2, next+nominal, true); !turn.More(next+3*nominal/2, next+3*nominal/2, true) {
			t.Errorf("%s: what it has caught up on is not forgotten", c.what)
		}
	}
}
