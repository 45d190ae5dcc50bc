package sight_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/sight"
)

// Rule: a client with a different step notices it by the hash, keeps nothing of it, and gets the right
// states by plain updates.
func TestAnotherStepIsNoticed(t *testing.T) {
	m := newMatch(t, 7, tanks.Busy, tanks.Sight)
	for range 60 {
		m.tick()
	}
	c := m.config()
	other := m.game
	other.Step = func(s *tanks.State, tick *rollback.Tick[tanks.Input]) {
		m.game.Step(s, tick)
		s.Tanks[3].Heading++
	}
	c.Game = other
	k, err := sight.NewMirror(c, 3)
	if err != nil {
		t.Fatal(err)
	}
	m.whole(k, 3)
	base, _ := k.Newest()
	m.tick()
	b, err := m.truth.Append(nil, 3, base, false, 1000)
	if err != nil {
		t.Fatal(err)
	}
	u, err := k.Apply(m.truth.Newest(), b)
	var differs *sight.DesyncError
	if !errors.As(err, &differs) || u != nil || differs.State != m.truth.Newest() || differs.Ours == differs.Theirs {
		t.Fatalf("%v, %v", u, err)
	}
	if want := m.known(m.truth.Newest(), 3); k.Refused().Tanks[3].Heading != want.Tanks[3].Heading+1 {
		t.Errorf("what was refused has %v, and the truth %v", k.Refused().Tanks[3], want.Tanks[3])
	}
	if text := err.Error(); !strings.Contains(text, fmt.Sprintf("state %d ", differs.State)) || !strings.Contains(text, fmt.Sprintf("%04x here", differs.Ours)) || !strings.Contains(text, fmt.Sprintf("%04x at the server", differs.Theirs)) {
		t.Errorf("it says %q", text)
	}
	if f, any := k.Newest(); f != base || !any {
		t.Fatal("a wrong state is held")
	}
	for range 20 {
		m.tick()
		b, err := m.truth.Append(nil, 3, base, true, 1000)
		if err != nil {
			t.Fatal(err)
		}
		u, err := k.Apply(m.truth.Newest(), b)
		if err != nil {
			t.Fatal(err)
		}
		if want := m.known(u.State, 3); !m.plan.Equal(u.Value, &want) {
			t.Fatal(m.plan.Diff(u.Value, &want, 5))
		}
		base, _ = k.Newest()
	}
}

// Rule: a baseline can be used as long as it is held, and an update is never longer than allowed.
// After an error, the bytes are as they were.
func TestWhatCannotBeTold(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		m := newMatch(t, 1, tanks.Busy, look)
		for range 200 {
			m.tick()
		}
		n := m.truth.Newest()
		for base, want := range map[rollback.Frame]error{
			n: sight.ErrBaseline, n + 1: sight.ErrBaseline, n - 1: nil, n - 62: nil, n - 63: sight.ErrBaseline, 0: sight.ErrBaseline,
		} {
			b, err := m.truth.Append([]byte("x"), 0, base, false, 100_000)
			if !errors.Is(err, want) || (len(b) == 1) != (want != nil) || b[0] != 'x' {
				t.Errorf("from state %d of %d: %d bytes, %v, want %v", base, n, len(b), err, want)
			}
			if want != nil {
				continue
			}
			for _, plain := range []bool{false, true} {
				b, err := m.truth.Append(nil, 0, base, plain, 100_000)
				if err != nil {
					t.Fatal(err)
				}
				before := make([]byte, 90)
				if again, err := m.truth.Append(before, 0, base, plain, len(b)); err != nil || string(again[len(before):]) != string(b) {
					t.Errorf("in just so many bytes: %v", err)
				}
				if none, err := m.truth.Append([]byte("x"), 0, base, plain, len(b)-1); !errors.Is(err, sight.ErrRoom) || string(none) != "x" {
					t.Errorf("in one byte less: %d bytes, %v", len(none), err)
				}
			}
		}
	})
}

// Rule: a state can be sent by its number as long as it is held, to each player as it may know it, and
// that changes nothing for players that are sent another one.
func TestAStateIsToldByItsNumber(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		m := newMatch(t, 1, tanks.Busy, look)
		for range 200 {
			m.tick()
		}
		n := m.truth.Newest()
		update, err := m.truth.Append(nil, 2, n-3, false, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []rollback.Frame{n, n - 1, n - 40, n - sight.Keep + 2} {
			for p := range rollback.Player(players) {
				b, err := m.truth.AppendState([]byte("x"), p, f)
				var got tanks.State
				if err == nil {
					err = m.plan.Decode(&got, b[1:])
				}
				if want := m.known(f, p); err != nil || b[0] != 'x' || !m.plan.Equal(&got, &want) {
					t.Fatalf("state %d of %d, to player %d: %v, %v", f, n, p, err, m.plan.Diff(&got, &want, 5))
				}
			}
		}
		for _, f := range []rollback.Frame{n + 1, n - sight.Keep + 1, 0} {
			if b, err := m.truth.AppendState([]byte("x"), 0, f); !errors.Is(err, sight.ErrBaseline) || string(b) != "x" {
				t.Errorf("state %d of %d: %d bytes, %v", f, n, len(b), err)
			}
		}
		if again, err := m.truth.Append(nil, 2, n-3, false, 1000); err != nil || string(again) != string(update) {
			t.Errorf("an update is another one: %v", err)
		}
	})
}

// Rule: wrong configurations are refused, and a game whose states are not values has no partial sight.
func TestWrongConfigurations(t *testing.T) {
	both(t, wrongConfigurations)
	type linked struct{ To *linked }
	reaching := sight.Config[linked, uint8]{Players: 1, Game: rollback.Game[linked, uint8]{Step: func(*linked, *rollback.Tick[uint8]) {}}}
	if _, err := sight.NewTruth(reaching); err == nil {
		t.Error("a state that is not plain is taken")
	}
	stepless := config{Players: 1, Sight: tanks.Sight}
	stepless.Game = rollback.Game[tanks.State, tanks.Input]{}
	if _, err := sight.NewMirror(stepless, 0); err == nil {
		t.Error("a game without a step is taken")
	}
	own := sight.Config[walk, act]{Game: rollback.OwnMemory[walk, walk, act]{}, Players: walkers, Sight: walkSight}
	_, ours := sight.NewTruth(own)
	_, theirs := sight.NewMirror(own, 0)
	for who, err := range map[string]error{"a server": ours, "a client": theirs} {
		var lacks *rollback.CapabilityError
		if !errors.As(err, &lacks) || lacks.Missing != "a plain state" {
			t.Errorf("%s with partial sight of a game with its own memory: %v", who, err)
		}
	}
}

func wrongConfigurations(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
	m := newMatch(t, 1, tanks.Calm, look)
	for name, change := range map[string]func(c *config){
		"no players":     func(c *config) { c.Players = 0 },
		"17 players":     func(c *config) { c.Players = 17 },
		"less than none": func(c *config) { c.MaxOrders = -1 },
		"many orders":    func(c *config) { c.MaxOrders = rollback.MaxOrderBytes + 1 },
	} {
		c := m.config()
		change(&c)
		if _, err := sight.NewTruth(c); err == nil {
			t.Errorf("%s: a server takes it", name)
		}
		if _, err := sight.NewMirror(c, 0); err == nil {
			t.Errorf("%s: a client takes it", name)
		}
	}
	c := m.config()
	c.Players, c.MaxOrders = 1, rollback.MaxOrderBytes
	if _, err := sight.NewTruth(c); err != nil {
		t.Errorf("one player, with the most orders: %v", err)
	}
}

// Rule: before the first state nothing is known of anybody, even after an earlier match.
func TestNothingIsKnownBeforeAMatch(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		m := newMatch(t, 1, tanks.Busy, look)
		for range sight.Keep + 9 {
			m.tick()
		}
		m.truth.Begin(9, m.run.State(), m.plan.Hash(m.run.State()))
		for p := range rollback.Player(players) {
			b, err := m.truth.AppendWhole(nil, p, m.run.Marshal)
			if err != nil {
				t.Fatal(err)
			}
			for _, input := range b[:len(b)-m.plan.Size()][4:] {
				if input != 0 {
					t.Fatalf("player %d is told an input of the match before: %x", p, b[:len(b)-m.plan.Size()])
				}
			}
			if look != nil && (b[0]|b[1]|b[2]|b[3]) != 0 {
				t.Fatalf("player %d is told of %x", p, b[:4])
			}
		}
	})
}

// Rule: an update is accepted once, and only as it was written: with further bytes, cut off, or with a
// flipped bit in its head it is refused.
func TestAnUpdateIsTakenOnceAndWhole(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		m := newMatch(t, 1, tanks.Busy, look)
		for range 60 {
			m.tick()
		}
		k := m.mirror(1)
		m.whole(k, 1)
		base, _ := k.Newest()
		for range 3 {
			m.tick()
		}
		n := m.truth.Newest()
		b, err := m.truth.Append(nil, 1, base, false, 1000)
		if err != nil {
			t.Fatal(err)
		}
		var data *sight.DataError
		if _, err := k.Apply(n, append(b[:len(b):len(b)], 0)); !errors.As(err, &data) {
			t.Errorf("with a byte behind it: %v", err)
		}
		for cut := range b {
			if _, err := k.Apply(n, b[:cut]); !errors.As(err, &data) {
				t.Fatalf("%d bytes of %d: %v", cut, len(b), err)
			}
		}
		for i := range 8 {
			wrong := append([]byte(nil), b...)
			wrong[0] ^= 1 << i
			if _, err := k.Apply(n, wrong); err == nil {
				t.Errorf("of another age: %v", err)
			}
		}
		if _, err := k.Apply(n, b); err != nil {
			t.Fatal(err)
		}
		if _, err := k.Apply(n, b); !errors.Is(err, sight.ErrBaseline) {
			t.Errorf("again: %v", err)
		}
		if _, err := k.Whole(n, nil); !errors.As(err, &data) {
			t.Errorf("a whole state of no bytes: %v", err)
		}
	})
}
