package rules

import (
	"slices"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// WRONG: an input is predicted here and confirmed there, and both at different times.
func statusWrong(s *World, t *rollback.Tick[Input]) {
	for p := range t.Players() {
		if t.Status(p) != rollback.Predicted && t.Input(p).Fire {
			s.Score++
		}
	}
}

// RIGHT: an input counts, whatever is known of it. Only Disconnected is the same everywhere.
func statusRight(s *World, t *rollback.Tick[Input]) {
	for p := range t.Players() {
		if t.Status(p) != rollback.Disconnected && t.Input(p).Fire {
			s.Score++
		}
	}
}

// speaker plays sounds at once.
type speaker struct{ played int }

func (s *speaker) play(string) { s.played++ }

var sound speaker

// WRONG: it is heard again in each simulation, and also if the hit never happened.
func sideWrong(s *World, t *rollback.Tick[Input]) {
	if t.Input(1).Fire && t.Frame()%4 == 0 {
		sound.play("hit")
	}
	s.Over = s.Over || t.Input(1).Fire
}

var (
	hit = effects.OneShot[struct{}](1, "hit")
	won = effects.OneShot[struct{}](2, "won").OnlyConfirmed()
)

// RIGHT: the step says what happens, and the presentation reads Match.Effects. The fanfare
// waits until it is certain.
func sideRight(s *World, t *rollback.Tick[Input]) {
	if t.Input(1).Fire && t.Frame()%4 == 0 {
		hit.Emit(t.Effects(), 1, struct{}{})
	}
	if t.Input(1).Fire && !s.Over {
		s.Over = true
		won.Emit(t.Effects(), 1, struct{}{})
	}
}

// Chat is a state that holds what was ordered last.
type Chat struct{ Last []byte }

// WRONG: the bytes are the engine's, which uses them again.
func keepWrong(s *Chat, t *rollback.Tick[Input]) {
	if orders := t.Orders(0); len(orders) > 0 {
		s.Last = orders
	}
}

// RIGHT: a copy.
func keepRight(s *Chat, t *rollback.Tick[Input]) {
	if orders := t.Orders(0); len(orders) > 0 {
		s.Last = slices.Clone(orders)
	}
}
