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

// A player who runs toward a point reaches it.
func TestToward(t *testing.T) {
	player, to := Player{At: Point{Width, 0}}, Point{Radius, Height - Radius}
	for range Width {
		in := player.At.toward(to)
		if in == (Input{}) {
			return
		}
		player.run(in)
	}
	t.Errorf("the player is at %v, and should be at %v", player.At, to)
}
