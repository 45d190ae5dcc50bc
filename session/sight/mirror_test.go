package sight_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
)

// Rule: an update that goes beyond the longest match is the error of the step, in whichever of its ticks, and no
// desync: nothing of it is held.
func TestAnUpdateBeyondTheLongestMatch(t *testing.T) {
	const last = rollback.NoFrame - 1<<16 // that a match can reach
	for _, first := range []rollback.Frame{last - 2, last - 1, last} {
		m := newMatch(t, 1, tanks.Busy, tanks.Sight)
		for range 40 {
			m.tick()
		}
		whole, err := m.truth.AppendWhole(nil, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		base := m.truth.Newest()
		m.tick()
		m.tick()
		update, err := m.truth.Append(nil, 1, base, false, 1000)
		if err != nil {
			t.Fatal(err)
		}
		k := m.mirror(1) // it is told the same of a later time
		if _, err := k.Whole(first, whole); err != nil {
			t.Fatal(err)
		}
		_, err = k.Apply(first+2, update)
		if first == last-2 {
			if newest, _ := k.Newest(); err != nil || newest != last {
				t.Errorf("up to the end: state %d, %v", newest, err)
			}
			continue
		}
		if newest, any := k.Newest(); !errors.Is(err, rollback.ErrFrames) || newest != first || !any {
			t.Errorf("from state %d, of %d at most: state %d, %v", first, last, newest, err)
		}
	}
}

// Rule: a client takes an update from a state that is up to 63 ticks older, as many as can be said, and holds every
// state in between.
func TestAnUpdateFromTheOldestBaseline(t *testing.T) {
	m := newMatch(t, 1, tanks.Busy, nil)
	k := m.mirror(1)
	m.whole(k, 1) // of state 0: nobody has done anything
	update := append([]byte{63, 0, 0}, bytes.Repeat([]byte{0xFF}, 7)...)
	update = append(update, 0x7F) // each of 63 ticks is as the one before
	u, err := k.Apply(63, update)
	if err != nil || u.From != 0 || len(u.Ticks) != 63 {
		t.Fatalf("%+v, %v", u, err)
	}
	for i, tick := range u.Ticks {
		if len(tick.Inputs) != players || tick.Orders != nil || tick.Gone != 0 || tick.Told != 0 {
			t.Errorf("tick %d: %+v", i, tick)
		}
	}
	if _, err := k.Apply(64, []byte{63, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F}); err != nil {
		t.Errorf("from state 1, which was not told: %v", err)
	}
	if _, err := k.Apply(65, []byte{0, 0, 0}); err == nil {
		t.Error("from itself")
	}
}
