package sight_test

import (
	"bytes"
	"errors"
	"runtime"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/sight"
)

// Rule: an update beyond the longest match returns the error of the step, in whichever of its ticks, and is no
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

// Rule: a client accepts an update from a state that is up to 63 ticks older, the maximum that can be encoded, and
// holds every state in between.
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
	var wrong *sight.DataError
	if _, err := k.Apply(65, []byte{0, 0, 0}); !errors.As(err, &wrong) {
		t.Errorf("from itself: %v", err)
	}
	k.Forget()
	if _, err := k.Apply(127, []byte{63, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F}); !errors.Is(err, sight.ErrBaseline) {
		t.Errorf("from a state that is forgotten: %v", err)
	}
	if _, err := k.Apply(62, update); !errors.As(err, &wrong) {
		t.Errorf("from before the match: %v", err)
	}
}

// Rule: a whole state with players that do not exist, or with one that is gone, is refused.
func TestAWholeStateOfPlayersThatThereAreNot(t *testing.T) {
	c := sight.Config[walk, act]{Game: walkGame(), Players: walkers, Sight: walkSight}
	k, err := sight.NewMirror(c, 0)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := canon.PlanFor[walk]()
	if err != nil {
		t.Fatal(err)
	}
	act := make([]byte, 4)
	for name, c := range map[string]struct {
		gone, told byte
		inputs     int
		ok         bool
	}{
		"a fifth one is gone": {1 << 4, 0, 0, false},
		"a fifth one is told": {0, 1 << 4, 1, false},
		"gone, and told":      {1 << 2, 1 << 2, 1, false},
		"too few":             {0, 3, 1, false},
		"too many":            {0, 1, 2, false},
		"the last one":        {1 << 3, 1 << 2, 1, true},
	} {
		k.Forget()
		b := append([]byte{c.gone, 0, c.told, 0}, bytes.Repeat(act, c.inputs)...)
		u, err := k.Whole(9, plan.Append(b, new(walk)))
		var wrong *sight.DataError
		if c.ok != (err == nil) || !c.ok && (!errors.As(err, &wrong) || wrong.State != 9) {
			t.Errorf("%s: %+v, %v", name, u, err)
		}
		if _, any := k.Newest(); any != c.ok {
			t.Errorf("%s: it is held: %v", name, any)
		}
	}
}

// Rule: orders take memory once: it does not grow with the data received.
func TestOrdersTakeMemoryOnce(t *testing.T) {
	c := sight.Config[walk, act]{Game: walkGame(), Players: walkers, MaxOrders: 400}
	truth, err1 := sight.NewTruth(c)
	k, err2 := sight.NewMirror(c, 0)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	var s walk
	truth.Begin(0, &s, 0)
	plan, err := canon.PlanFor[walk]()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Whole(0, plan.Append(make([]byte, 4), &s)); err != nil {
		t.Fatal(err)
	}
	orders, update := bytes.Repeat([]byte{7}, 400), []byte(nil)
	var before, after runtime.MemStats
	for n := range rollback.Frame(1100) {
		if n == 100 {
			runtime.ReadMemStats(&before)
		}
		truth.Add(make([]act, walkers), [][]byte{orders, orders, nil, orders}, 0, &s, 0)
		if update, err = truth.Append(update[:0], 0, n, false, 5000); err != nil {
			t.Fatal(err)
		}
		u, err := k.Apply(n+1, update)
		if err != nil || len(u.Ticks) != 1 || !bytes.Equal(u.Ticks[0].Orders[3], orders) || u.Ticks[0].Orders[2] != nil {
			t.Fatalf("state %d: %+v, %v", n+1, u, err)
		}
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 300_000 { // the test itself makes a row of inputs and orders for each tick
		t.Errorf("1000 ticks with 1200 bytes of orders take %d bytes", grown)
	}
}

// Rule: a whole state with an incomplete head is invalid. A game with its own memory may encode a state as no bytes.
func TestAWholeStateIsNotCutOff(t *testing.T) {
	m := newMatch(t, 2, tanks.Busy, nil)
	b, err := m.truth.AppendWhole(nil, 1, m.run.Marshal)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range 9 {
		var wrong *sight.DataError
		if _, err := m.mirror(1).Whole(1, b[:cut]); !errors.As(err, &wrong) {
			t.Errorf("%d bytes: %v", cut, err)
		}
	}
	own, err := sight.NewMirror(sight.Config[walk, act]{Game: rollback.OwnMemory[walk, walk, act]{}, Players: walkers}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for n, b := range [][]byte{{0, 0, 0, 0}, {0, 0, 1, 0, 0, 0, 0, 0}} { // no player is told, or what one has done
		f := rollback.Frame(n) + 1
		if u, err := own.Whole(f, b); err != nil || u.State != f || len(u.Encoded) != 0 || u.Value != nil {
			t.Errorf("%+v, %v", u, err)
		}
	}
}

// Rule: an update that ends within its head is refused as truncated, wherever it ends.
func TestAnUpdateThatEndsInItsHead(t *testing.T) {
	m := newMatch(t, 2, tanks.Busy, nil)
	k := m.mirror(1)
	m.whole(k, 1)
	m.tick()
	b, err := m.truth.Append(nil, 1, 0, false, 5000)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range 3 {
		var wrong *sight.DataError
		if _, err := k.Apply(1, b[:cut]); !errors.As(err, &wrong) || wrong.Problem != "it is cut off" {
			t.Errorf("%d bytes: %v", cut, err)
		}
	}
}

// Rule: an update only says who is gone and who is told in a tick if that has changed, and players that are gone are
// not told.
func TestWhoIsToldOfATick(t *testing.T) {
	for name, c := range map[string]struct {
		tick []byte // whether all is as before, 4 bits of who is gone, and of who is told, and what each of these does
		ok   bool
	}{
		"gone, and told":     {[]byte{0x22, 0}, false},
		"no change":          {[]byte{0, 0}, false},
		"one gone, one told": {[]byte{0x42, 0}, true},
	} {
		k, err := sight.NewMirror(sight.Config[walk, act]{Game: walkGame(), Players: walkers}, 0)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := canon.PlanFor[walk]()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := k.Whole(7, plan.Append(make([]byte, 4), new(walk))); err != nil {
			t.Fatal(err)
		}
		u, err := k.Apply(8, append([]byte{1, 0, 0}, c.tick...))
		var wrong *sight.DataError
		if c.ok != (err == nil) || !c.ok && !errors.As(err, &wrong) || c.ok && (u.Ticks[0].Gone != 1 || u.Ticks[0].Told != 2) {
			t.Errorf("%s: %+v, %v", name, u, err)
		}
	}
}

// Rule: with full sight a plain update can only be based on a state that was sent as such: of one that was sent by
// its ticks, or passed on the way to another one, the client of a game holds no bytes here.
func TestAPlainUpdateNeedsAStateThatWasTold(t *testing.T) {
	m := newMatch(t, 2, tanks.Busy, nil)
	for range 30 {
		m.tick()
	}
	k := m.mirror(1)
	m.whole(k, 1)
	first, _ := k.Newest()
	for range 3 {
		m.tick()
	}
	update := func(base rollback.Frame, plain bool) []byte {
		b, err := m.truth.Append(nil, 1, base, plain, 5000)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if _, err := k.Apply(first+3, update(first, false)); err != nil {
		t.Fatal(err)
	}
	m.tick()
	for base := first + 1; base <= first+3; base++ {
		if _, err := k.Apply(first+4, update(base, true)); !errors.Is(err, sight.ErrBaseline) {
			t.Errorf("from state %d, with a whole one of %d: %v", base, first, err)
		}
	}
	u, err := k.Apply(first+4, update(first, true))
	if want := m.known(first+4, 1); err != nil || u.Value == nil || !m.plan.Equal(u.Value, &want) {
		t.Fatalf("from the whole one: %v", err)
	}
	m.tick()
	if _, err := k.Apply(first+5, update(first+4, true)); err != nil {
		t.Errorf("from one that was told: %v", err)
	}
}
