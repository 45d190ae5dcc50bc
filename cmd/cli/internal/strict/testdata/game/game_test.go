package game

import (
	"math"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
)

type state struct{ Angle, Away, Odd float64 }

var game = rollback.Game[state, int8]{
	Floats: tickback.Strict,
	Init:   func(s *state) { s.Away = 1 },
	Step: func(s *state, t *rollback.Tick[int8]) {
		s.Angle += float64(t.Input(0)) * 0.01
		s.Away = s.Away*math.Exp(-s.Angle) + math.Sin(s.Angle)
		s.Odd = math.Copysign(math.NaN(), -1)
	},
}

func TestGame(t *testing.T) {
	e, err := rollback.New(game, rollback.Config{Players: 1, Local: rollback.SetOf(0)})
	if err != nil {
		t.Fatal(err)
	}
	for f := range 600 {
		if err := e.AddLocal(0, int8(f%7-3), nil); err != nil {
			t.Fatal(err)
		}
		if err := e.Tick(); err != nil {
			t.Fatal(err)
		}
	}
	hash, err := e.Hash()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("hash %016x", hash)
	if math.Signbit(e.State().Odd) {
		t.Error("the state has a NaN with a sign")
	}
}
