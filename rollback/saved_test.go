package rollback_test

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: an engine can go back to a state that was saved outside it, however long ago, and
// what follows from there is the same; for both kinds of game.
func TestASavedStateIsComeBackTo(t *testing.T) {
	t.Run("plain", func(t *testing.T) { comesBack[world](t, new(tape).game(chaining, nil, kinds)) })
	t.Run("own", func(t *testing.T) {
		comesBack[heap](t, new(tape).own(chaining, nil, kinds))
	})
}

func comesBack[S any](t *testing.T, game rollback.Definition[S, button]) {
	e := fresh(rollback.New(game, rollback.Config{Players: 2}))
	feed := func(end Frame) uint64 {
		for f := e.Frame(); f < end; f++ {
			var gone rollback.PlayerSet
			if f%100 > 80 {
				gone = rollback.SetOf(1)
			}
			must(e.Feed([]button{button(f % 7), button(f % 5)}, nil, gone))
		}
		return fresh(e.Hash())
	}
	var s, early rollback.Saved
	must(e.Save(&early))
	at90 := feed(90)
	must(e.Save(&s))
	want(t, "its frame", s.Frame(), Frame(90))
	if s.Size() <= 0 {
		t.Errorf("a state of %d bytes", s.Size())
	}
	at2000 := feed(2000)
	for range 2 {
		must(e.Restore(&s))
		want(t, "the frame", e.Frame(), Frame(90))
		want(t, "the state", fresh(e.Hash()), at90)
		want(t, "what follows", feed(2000), at2000)
	}
	must(e.Restore(&early))
	want(t, "from the beginning", feed(2000), at2000)
	must(e.Save(&s)) // over the other one
	must(e.Restore(&early))
	must(e.Restore(&s))
	want(t, "used again", fresh(e.Hash()), at2000)
}

// Rule: restoring a state that was never saved, or was saved with another game, is
// refused and changes nothing.
func TestAStateThatWasNotSavedIsRefused(t *testing.T) {
	plain := fresh(rollback.New(new(tape).game(chaining, nil, nil), rollback.Config{Players: 2}))
	own := fresh(rollback.New(new(tape).own(chaining, nil, nil), rollback.Config{Players: 2}))
	var none, s rollback.Saved
	if err := plain.Restore(&none); !errors.Is(err, rollback.ErrNotHeld) {
		t.Errorf("nothing was restored: %v", err)
	}
	must(own.Save(&s))
	if plain.Restore(&s) == nil || plain.Save(&s) == nil {
		t.Error("a state of another game was taken")
	}
	var other rollback.Saved
	must(plain.Save(&other))
	if own.Restore(&other) == nil || own.Save(&other) == nil {
		t.Error("a state of another game was taken by one with its own memory")
	}
	must(plain.Restore(&other))
	game := new(tape).own(chaining, nil, nil)
	game.Save, game.Restore, game.Equal = nil, nil, nil
	poor := fresh(rollback.New(game, rollback.Config{Players: 2}))
	var missing *rollback.CapabilityError
	if err := poor.Save(&none); !errors.As(err, &missing) || missing.Missing != "Save" {
		t.Errorf("a game without Save: %v", err)
	}
}
