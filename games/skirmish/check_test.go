package skirmish

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/world"
)

// encoded returns the state of a battle between bots, each of which began with the given number of units, after some
// seconds.
func encoded(t testing.TB, units, seconds int) (*field, []byte) {
	t.Helper()
	f := play(t, Setup{Seed: 5, Size: 64, Players: 3, Units: units, Bots: true}, 1)
	f.gone = rollback.SetOf(2)
	for range seconds * TicksPerSecond {
		f.bots()
		f.run(1)
	}
	return f, world.Save(f.world()).Append(nil)
}

// load returns a match that continues from an encoding.
func load(t testing.TB, b []byte) (*field, error) {
	t.Helper()
	g := play(t, Setup{Size: 64, Players: 3}, 1)
	return g, g.game.Unmarshal(g.world(), b)
}

// Rule: a state that no match can have is refused, whatever makes it impossible; a possible one is accepted.
func TestStatesAreChecked(t *testing.T) {
	_, b := encoded(t, 40, 10)
	if _, err := load(t, b); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(w *World){
		"players":  func(w *World) { w.Match.Write().Players = 9 },
		"one side": func(w *World) { w.Match.Write().Players = 1 },
		"size":     func(w *World) { w.Match.Write().Size = 80 },
		"no size":  func(w *World) { w.Match.Write().Size = 7 },
		"winner":   func(w *World) { w.Match.Write().Winner = 9 },
		"bots":     func(w *World) { w.Match.Write().Over = true },
		"ground":   func(w *World) { w.Ground.Set(3, 3, 4) },
		"unit side": func(w *World) {
			(&step{World: w}).raise(3, Archer, fixed.Vec2{X: fixed.FromInt(3), Y: fixed.FromInt(3)})
		},
		"unit kind": func(w *World) { (&step{World: w}).raise(0, 5, fixed.Vec2{X: fixed.FromInt(3), Y: fixed.FromInt(3)}) },
		"off the map": func(w *World) {
			(&step{World: w}).raise(0, Archer, fixed.Vec2{X: fixed.FromInt(65), Y: fixed.FromInt(3)})
		},
		"way": func(w *World) {
			for c := range w.Units.Chunks() {
				for row := range c.Live() {
					w.Units.Task.Write(c).At(row).Path = MaxPaths + 1
				}
			}
		},
		"many at first": func(w *World) { w.Match.Write().Units = MaxUnits + 1 },
		"speed of ways": func(w *World) { w.Paths.Write().Meter.PerTick = 1 << 31 },
		"at its end": func(w *World) {
			(&step{World: w}).raise(0, Archer, fixed.Vec2{X: fixed.FromInt(64), Y: fixed.FromInt(3)})
		},
		"before its beginning": func(w *World) {
			(&step{World: w}).raise(0, Archer, fixed.Vec2{X: fixed.FromInt(3), Y: -fixed.Epsilon})
		},
		"a leap":        func(w *World) { w.Units.Vel.Set(firstUnit(w), fixed.Vec2{Y: -fixed.One}) },
		"a verb":        func(w *World) { w.Units.Task.Set(firstUnit(w), Task{Verb: Train}) },
		"another verb":  func(w *World) { w.Units.Task.Set(firstUnit(w), Task{Verb: Select}) },
		"in each other": func(w *World) { pile(w, mostInCell) },
		"a shot of a knight": func(w *World) {
			(&step{World: w}).fire(&firing{load: Load{Left: 1, Kind: Knight}})
		},
		"a shot that is down": func(w *World) {
			e, _ := w.Shots.Spawn()
			w.Shots.Load.Set(e, Load{Kind: Archer})
		},
		"a shot far away": func(w *World) {
			(&step{World: w}).fire(&firing{from: fixed.Vec2{X: fixed.FromInt(66)}, to: fixed.Vec2{X: fixed.FromInt(66)}, load: Load{Left: 1, Kind: Archer}})
		},
		"two keeps": func(w *World) { (&step{World: w}).found(Place{X: 20, Y: 20, Structure: Keep}, 0) },
		"mines": func(w *World) {
			for i := range int16(2*MaxPlayers + 1) {
				(&step{World: w}).found(Place{X: 20, Y: 2 * i, Structure: Mine}, 0)
			}
		},
		"a wall that trains": func(w *World) {
			w.Buildings.Works.Set((&step{World: w}).found(Place{X: 20, Y: 20, Structure: Wall}, 0), Works{Queued: 1, Queue: [QueueLen]Kind{Archer}})
		},
		"work without end":   func(w *World) { (&step{World: w}).found(Place{X: 20, Y: 20, Structure: Wall}, Wall.Of().Work+1) },
		"a long queue":       func(w *World) { w.Buildings.Works.Set(w.Buildings.At(0), Works{Queued: QueueLen + 1}) },
		"training of nobody": func(w *World) { w.Buildings.Works.Set(w.Buildings.At(0), Works{Done: 1}) },
		"building":           func(w *World) { (&step{World: w}).found(Place{X: 20, Y: 20, Side: 7, Structure: Keep}, 0) },
		"at the border":      func(w *World) { (&step{World: w}).found(Place{X: 62, Y: 20, Structure: Keep}, 0) },
	} {
		f, _ := encoded(t, 40, 10)
		f.change(spoil)
		if _, err := load(t, world.Save(f.world()).Append(nil)); !errors.Is(err, ErrState) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// firstUnit returns the unit in the first row that has one.
func firstUnit(w *World) world.Entity {
	for e := range w.Units.All() {
		return e
	}
	return 0
}

// pile puts one unit more than the given number into one cell.
func pile(w *World, n int) {
	for range n + 1 {
		(&step{World: w}).raise(0, Archer, fixed.Vec2{X: half(30), Y: half(30)})
	}
}

// Rule: a cell with the maximum number of units is accepted, and they walk apart soon.
func TestAPileFallsApart(t *testing.T) {
	f, _ := encoded(t, 40, 10)
	f.change(func(w *World) { pile(w, mostInCell/2) })
	g, err := load(t, world.Save(f.world()).Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	g.run(20 * TicksPerSecond)
	if err := g.world().checkCrowds(); err != nil {
		t.Error(err)
	}
}

// Rule: an encoding with one changed byte is refused, or leads to a match that can be played.
func TestSpoiledStatesDoNotPanic(t *testing.T) {
	_, b := encoded(t, 40, 10)
	rounds := 400
	if testing.Short() {
		rounds = 40
	}
	r := rng.New(11)
	taken := 0
	for range rounds {
		c := append([]byte(nil), b...)
		for range 1 + r.Next()%4 {
			c[r.Next()%uint64(len(c))] ^= byte(1 + r.Next()%255)
		}
		g, err := load(t, c)
		if err != nil {
			continue
		}
		taken++
		for range 3 {
			g.bots()
			g.run(1)
		}
	}
	t.Logf("%d of %d were taken", taken, rounds)
}

// Rule: a match with more sides than players can be played; nobody commands the other sides.
func TestMoreSidesThanPlayers(t *testing.T) {
	begin, err := Start(1, Setup{Size: 64, Players: 8, Units: 4}.Data())
	if err != nil {
		t.Fatal(err)
	}
	f := play(t, Setup{Size: 64, Players: 2}, 1)
	begin(f.world())
	f.run(60)
	if n := f.world().Match.Get().Players; n != 8 {
		t.Errorf("%d sides", n)
	}
}
