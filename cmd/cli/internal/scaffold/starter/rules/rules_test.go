package rules

import (
	"testing"

	"github.com/tickback/tickback/tickbacktest"
)

// The step computes the same states when frames are simulated again, and in a second instance. If it does not, the
// failure names the field and the shortest match that shows it.
func TestDeterminism(t *testing.T) {
	tickbacktest.Check(t, Game, tickbacktest.Options[Input]{Players: Seats})
}

// A player who seeks the coin reaches it.
func TestSeek(t *testing.T) {
	s := New(1)
	for range Width {
		in, at := Seek(0, &s), &s.Players[0]
		if in == (Input{}) {
			return
		}
		at.X += Speed * axis(in.Left, in.Right)
		at.Y += Speed * axis(in.Up, in.Down)
	}
	t.Errorf("the player is at %v, and the coin at %v", s.Players[0], s.Coin)
}
