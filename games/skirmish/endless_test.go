package skirmish

import (
	"testing"

	"github.com/tickback/tickback/fixed"
)

// Rule: in a match without an end, armies keep about their initial size while they fight, and nobody loses.
func TestAMatchWithoutAnEndKeepsItsArmies(t *testing.T) {
	ticks := 6000
	if testing.Short() {
		ticks = 1500
	}
	setup := Setup{Seed: 5, Size: 64, Players: 4, Units: 60, Endless: true}
	f := play(t, setup, 1)
	fewest := setup.Players * setup.Units
	for range ticks {
		f.bots()
		f.run(1)
		fewest = min(fewest, f.world().Units.Len())
	}
	fallen, sides := 0, f.world().Sides.Get()
	for p, side := range sides[:setup.Players] {
		if fallen += int(side.Fallen); side.Lost {
			t.Errorf("player %d has lost", p)
		}
	}
	if _, over := f.stepper.Result(); over || fallen < 30 || fewest < setup.Players*setup.Units/2 {
		t.Errorf("over %v, %d have fallen, and once there were %d of %d", over, fallen, fewest, setup.Players*setup.Units)
	}
}

// Rule: in such a match no blow breaks a keep, and no player can resign; in a match with an end, both are possible.
func TestAKeepOfAMatchWithoutAnEndStands(t *testing.T) {
	for _, without := range []bool{false, true} {
		f := open(t)
		f.change(func(w *World) { w.Match.Write().Winner = Setup{Endless: without}.unended() })
		f.change(func(w *World) {
			s := step{World: w}
			for e := range w.Buildings.All() {
				if p, _ := w.Buildings.Place.Get(e); p.Side == 1 && without {
					s.strike(&hit{e, fixed.FromInt(9000), 0})
				}
			}
		})
		f.order(1, Order{Verb: Resign})
		f.run(1)
		if _, over := f.stepper.Result(); over == without || f.world().Endless() != without {
			t.Errorf("without an end %v: over %v", without, over)
		}
	}
}
