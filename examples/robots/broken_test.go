package robots_test

import (
	"maps"
	"testing"

	"github.com/tickback/tickback/examples/robots"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/tickbacktest"
)

// shallow is a slot that shares memory with the game, in the ways that are easy to
// write by accident.
type shallow struct {
	robots.Snapshot
	mines map[robots.Cell]robots.Mine
	robot *robots.Robot
}

type broken = rollback.OwnMemory[robots.World, shallow, robots.Action]

// shared returns the game with a slot that also keeps something of the world as it is,
// and brings that back.
func shared(keep func(w *robots.World, s *shallow), back func(w *robots.World, s *shallow, restore func())) broken {
	g := robots.Game(1)
	return broken{
		Init: g.Init, Step: g.Step, New: g.New, Hash: g.Hash, Describe: g.Describe,
		Save: func(w *robots.World, s *shallow) {
			g.Save(w, &s.Snapshot)
			if len(w.Robots) == 3 {
				keep(w, s)
			}
		},
		Equal: func(w *robots.World, s *shallow) bool { return g.Equal(w, &s.Snapshot) },
		Restore: func(w *robots.World, s *shallow) {
			if restore := func() { g.Restore(w, &s.Snapshot) }; len(s.Robots) == 3 {
				back(w, s, restore)
			} else {
				restore()
			}
		},
	}
}

func keepNothing(*robots.World, *shallow)                     {}
func justRestore(_ *robots.World, _ *shallow, restore func()) { restore() }

// The negative control: each of these mistakes is found by the sync test of the
// engine, and by tickbacktest, and both name the field.
func TestShallowCopiesAreFound(t *testing.T) {
	must(t, syncTest(t, shared(keepNothing, justRestore), 7, 1, 300))
	for _, c := range []struct {
		name, path string
		game       broken
	}{
		{"slice", "Robots[2].VM.Heap", shared(
			func(w *robots.World, s *shallow) { s.Robots[2].VM.Heap = w.Robots[2].VM.Heap }, justRestore,
		)},
		{"another slice", "Robots[2].VM.Stack", shared(
			func(w *robots.World, s *shallow) { s.Robots[2].VM.Stack = w.Robots[2].VM.Stack }, justRestore,
		)},
		{"map", "Mines", shared(
			func(w *robots.World, s *shallow) { s.mines = w.Mines },
			func(w *robots.World, s *shallow, restore func()) {
				now := maps.Clone(s.mines)
				restore()
				clear(w.Mines)
				maps.Copy(w.Mines, now)
			},
		)},
		{"pointer", "Robots[0].", shared(
			func(w *robots.World, s *shallow) { s.robot = w.Robots[0] },
			func(w *robots.World, s *shallow, restore func()) {
				now := s.robot.Body
				restore()
				w.Robots[0].Body = now
			},
		)},
		{"link that is not brought back", "Robots[1].Last", shared(
			keepNothing,
			func(w *robots.World, _ *shallow, restore func()) {
				restore()
				w.Robots[1].Last = nil
			},
		)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var err error
			for seed := script(1); seed < 20 && err == nil; seed++ {
				err = syncTest(t, c.game, 7, seed, 300)
			}
			mismatch(t, err, c.path)
			finds(t, c.path, func(t testing.TB) { tickbacktest.Purity(t, c.game, busy()) })
		})
	}
}
