package skirmish

import (
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: a random player now and then gives valid orders of many kinds, at most as many as fit, and the same ones for
// the same seed, player and frame.
func TestRandomPlayersOrderSomething(t *testing.T) {
	ordered, given, same := map[Verb]int{}, 0, 0
	const frames = 30 * 60 * 10
	for f := range rollback.Frame(frames) {
		b := Random{Seed: 5}.Orders(nil, 1, f)
		if len(b) > MaxOrderBytes || string(b) != string(Random{Seed: 5}.Orders(nil, 1, f)) {
			t.Fatalf("frame %d: %x", f, b)
		}
		if len(b) > 0 {
			given++
			if string(b) == string(Random{Seed: 6}.Orders(nil, 1, f)) || string(b) == string(Random{Seed: 5}.Orders(nil, 2, f)) {
				same++
			}
		}
		for len(b) > 0 {
			o, rest, err := ConsumeOrder(b)
			if err != nil {
				t.Fatalf("frame %d: %v", f, err)
			}
			ordered[o.Verb]++
			b = rest
		}
	}
	if given < frames/60 || given > frames/15 || same > 0 || len(ordered) != verbs-1 || ordered[Resign] > 0 {
		t.Errorf("orders in %d of %d frames, %d as another player's: %v", given, frames, same, ordered)
	}
}

// Rule: a match of random players has fights.
func TestRandomPlayersFight(t *testing.T) {
	f := play(t, Setup{Seed: 3, Size: 64, Players: 3, Units: 40}, 1)
	for n := range rollback.Frame(60 * TicksPerSecond) {
		for p := range rollback.Player(f.players) {
			f.orders[p] = Random{Seed: 3}.Orders(f.orders[p], p, n)
		}
		f.run(1)
	}
	fallen := 0
	sides := f.world().Sides.Get()
	for _, s := range sides[:3] {
		fallen += int(s.Fallen)
	}
	if fallen < 20 {
		t.Errorf("%d have fallen", fallen)
	}
}
