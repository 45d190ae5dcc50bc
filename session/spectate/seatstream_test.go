package spectate

import (
	"slices"
	"testing"
	"time"
)

// Rule: newcomers see the match without delay, and other spectators see none of that early.
func TestNewcomersSeeWhatSpectatorsMayNot(t *testing.T) {
	const delay = 1000
	h := newHall(t, Config{Max: 4, Delay: delay}, hallToken)
	h.run(24 * time.Second)
	watcher, v, came := h.enter(1, nil), h.enter(2, seat(1, 5)), h.frame
	for range 40 {
		h.run(100 * time.Millisecond)
		if w := h.frame - min(watcher.Live(), h.frame); watcher.Live() > 0 && w < delay {
			t.Fatalf("a spectator is %d frames behind", w)
		}
	}
	for _, f := range watcher.states {
		if f+delay > h.frame {
			t.Errorf("a spectator has state %d at frame %d", f, h.frame)
		}
	}
	want(t, "spectator", watcher.Attached() && watcher.frames > 0, true)
	if behind := h.frame - v.Live(); behind > 1 || len(v.states) != 1 || v.states[0] < came-150 {
		t.Errorf("the newcomer is %d frames behind, and got states %v at frame %d", behind, v.states, came)
	}
}

// Even if states are made for newcomers all the time, spectators with a delay still get
// theirs.
func TestNewcomersTakeNoStatesFromSpectators(t *testing.T) {
	h := newHall(t, Config{Max: 8, Delay: 1800}, hallToken)
	h.run(40 * time.Second)
	for i := range byte(12) {
		v := h.enter(i, seat(1, uint64(i)+1))
		h.run(2200 * time.Millisecond)
		want(t, "a newcomer is in", v.Attached() && v.frames > 0, true)
		v.Leave()
		if held := h.audience.Stats().Held; held > maxStates {
			t.Fatalf("%d states are held", held)
		}
	}
	w := h.enter(100, nil)
	h.run(time.Second)
	want(t, "a spectator has a state", len(w.states), 1)
	want(t, "and frames", w.frames > 0, true)
}

// Rule: newcomers have a rate of their own, however many spectators wait for theirs.
func TestNewcomersDoNotShareTheRate(t *testing.T) {
	h := newHall(t, Config{Max: 8, Rate: 20_000}, hallToken)
	h.state = 60_000
	h.run(5 * time.Second)
	for i := range byte(8) {
		h.enter(i, nil)
	}
	h.run(time.Second)
	v := h.enter(100, seat(1, 5))
	h.run(5 * time.Second)
	want(t, "states", len(v.states), 1)
	want(t, "of spectators", slices.ContainsFunc(h.visitors[:8], func(w *visitor) bool { return len(w.states) > 0 }), false)
}
