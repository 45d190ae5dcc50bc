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
