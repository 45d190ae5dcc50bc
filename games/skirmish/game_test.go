package skirmish

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: the data of a match is its setup; without data it is the usual one, for the number of players in the match.
func TestData(t *testing.T) {
	setup := Setup{Seed: 7, Size: 96, Players: 3, Units: 300}
	begin, err := Start(7, setup.Data())
	if err != nil {
		t.Fatal(err)
	}
	game, err := New(Usual, 1)
	if err != nil {
		t.Fatal(err)
	}
	stepper, err := rollback.NewStepper(game, 3, MaxOrderBytes)
	if err != nil {
		t.Fatal(err)
	}
	check := func(size, players, units int) {
		t.Helper()
		if err := stepper.Step(make([]Input, 3), make([][]byte, 3), 0); err != nil {
			t.Fatal(err)
		}
		w := stepper.State()
		if m := w.Match.Get(); int(m.Size) != size || int(m.Players) != players || w.Units.Len() != units {
			t.Errorf("%+v, %d units", m, w.Units.Len())
		}
		if width, height := w.Costs.Size(); width != size || height != size {
			t.Errorf("the map has %d × %d cells", width, height)
		}
	}
	check(128, 3, 24)
	if err := stepper.Restart(begin); err != nil { // on the same world, with another map
		t.Fatal(err)
	}
	check(96, 3, 900)
	if begin, err = Start(8, nil); err != nil {
		t.Fatal(err)
	}
	if err := stepper.Restart(begin); err != nil {
		t.Fatal(err)
	}
	check(128, 3, 24)
}

// Rule: data that is not a setup is refused.
func TestNoData(t *testing.T) {
	if _, err := Start(1, []byte{1, 2, 3}); !errors.Is(err, ErrData) {
		t.Error(err)
	}
	if _, err := Start(1, Setup{Size: 100, Players: 2}.Data()); err == nil {
		t.Error("a map of 100 cells is accepted")
	}
	if _, err := New(Setup{}, 1); !errors.Is(err, ErrSetup) {
		t.Error(err)
	}
	for _, s := range []Setup{{Size: 64, Units: 1<<16 - 1}, {Size: 64, Players: 8, Units: MaxUnits}, {Size: 64, Players: 1}, {Size: 64, Players: 255}} {
		if _, err := Start(1, s.Data()); !errors.Is(err, ErrSetup) {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// Rule: a match of one player, or of more than eight, is refused by everything that could play it, and any number in
// between can begin.
func TestMatchesOfTooManyAreRefused(t *testing.T) {
	game, err := New(Setup{Size: 64, Units: MaxUnits}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= rollback.MaxPlayers; n++ {
		_, err := rollback.New(game, rollback.Config{Players: n})
		_, second := rollback.NewStepper(game, n, 0)
		_, third := rollback.NewSandbox(game, n, 1)
		for _, err := range []error{err, second, third} {
			if fits := n >= 2 && n <= MaxPlayers; fits != (err == nil) || !fits && !errors.Is(err, ErrSetup) {
				t.Errorf("%d players: %v", n, err)
			}
		}
	}
	f := play(t, Setup{Size: 64, Players: 8}, 1)
	if f.stepper, err = rollback.NewStepper(game, 8, MaxOrderBytes); err != nil {
		t.Fatal(err)
	}
	f.run(1)
	if m := f.world().Match.Get(); m.Players != MaxPlayers || f.world().Units.Len() > MaxAll {
		t.Errorf("%+v", m)
	}
}
