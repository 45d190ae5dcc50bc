package skirmish

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/fixed"
)

// hash returns the hash of the state.
func (f *field) hash() uint64 {
	f.t.Helper()
	h, err := f.stepper.Hash()
	check(f.t, err)
	return h
}

// Rule: each kind of unit walks, fights and falls in the same way on every machine, and in every version of the game.
func TestFrozenKinds(t *testing.T) {
	for kind, want := range map[Kind]uint64{
		Spearman: 0xd6a615528a47f4eb, Archer: 0x7a3d0468e416d9a3, Knight: 0x2dfbf3c447555a73, Catapult: 0x61631cb2329d9539,
	} {
		f := open(t)
		f.change(func(w *World) { w.Costs.Set(26, 30, Wood.Cost()) })
		f.unit(0, kind, half(20), half(30))
		f.unit(1, Knight, half(40), half(33))
		f.group(0)
		f.order(0, Order{Verb: March, At: at(42, 34)})
		f.run(400)
		f.building(1, Wall, 20, 36)
		f.unit(0, kind, half(20), half(30))
		f.run(200)
		if got := f.hash(); got != want {
			t.Errorf("%v: %#x, want %#x", kind, got, want)
		}
	}
}

// Rule: each kind of building is built, works, and is destroyed in the same way on every machine, and in every version
// of the game.
func TestFrozenBuildings(t *testing.T) {
	for structure, want := range map[Structure]uint64{
		Keep: 0x425e4501d9e1a272, Barracks: 0x8e7edac9b00cc61d, Wall: 0x85ef3470508488d6, Mine: 0x7f4406967f40574f,
	} {
		f := open(t)
		e := f.building(0, structure, 30, 30)
		if plan := structure.Of(); plan.Cost > 0 {
			f.change(func(w *World) {
				w.Sides.Write()[0].Gold = 1000
				check(t, w.Buildings.Kill(e))
			})
			f.order(0, Order{Verb: Build, Plan: structure, At: at(14, 9)})
			f.run(1)
			f.run(int(plan.Work))
			for b := range f.world().Buildings.All() {
				if p, _ := f.world().Buildings.Place.Get(b); p.Structure == structure {
					e = b
				}
			}
		}
		f.order(0, Order{Verb: Rally, Target: e, At: at(35, 20)}, Order{Verb: Train, Target: e, What: Spearman}, Order{Verb: Train, Target: e, What: Knight})
		f.run(500)
		f.unit(1, Catapult, half(36), half(32))
		f.change(func(w *World) { w.Buildings.Health.Set(e, min(structure.Of().Health, fixed.One)) })
		f.group(1)
		f.order(1, Order{Verb: Strike, Target: e})
		f.run(600)
		if got := f.hash(); got != want {
			t.Errorf("%v: %#x, want %#x, with %d units", structure, got, want, f.world().Units.Len())
		}
	}
}

// Rule: matches of bots are the same on every machine, and in every version of the game.
func TestFrozenMatches(t *testing.T) {
	const sample = 300
	for _, c := range []struct {
		players, units int
		want           []uint64 // every 300 frames
	}{
		{2, 40, []uint64{0xe459b40e67a4da7, 0xf720f29bac70297, 0xf02036fd89b05760, 0xffaf55d9bf4f816, 0x12396eeb76c67dfc, 0x98803c54903474d6, 0xb645bddadd40747d, 0x72320de45b516d53, 0x8633342da5c4cd1, 0x9b83df4901121bc3}},
		{4, 30, []uint64{0xddf675326697768d, 0x7c2e393604d4ca1b, 0x31c7374a1477c741, 0x3a4d192288027231, 0x950c94f76a1636e5, 0xe25f144616e8bec4, 0x74935757ad19f478, 0xbc7c365f85e44000, 0x7804febe409113fb, 0xf588ebead025dca}},
		{8, 20, []uint64{0xe4e1944db23f9f05, 0xe4d264788a96750f, 0x80e0b8497e2e49e1, 0x1168ea895b2bf28, 0xb3b82aa5a60b3171, 0x5002e86ebf380bcf, 0xb60544adf56c8da1}},
	} {
		t.Run(fmt.Sprint(c.players), func(t *testing.T) {
			f := play(t, Setup{Seed: uint64(c.players), Size: 96, Players: c.players, Units: c.units}, 0)
			for i, want := range c.want {
				if i == 1 && testing.Short() {
					break
				}
				for range sample {
					f.bots()
					f.run(1)
				}
				if got := f.hash(); got != want {
					t.Fatalf("frame %d: %#x, want %#x, with %d units", sample*(i+1), got, want, f.world().Units.Len())
				}
			}
		})
	}
}
