package robots_test

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/examples/robots"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/tickbacktest"
)

// The variable of the process makes no difference to one match at a time: the states
// are those of the game that has its own.
func TestPortedIsTheSameGame(t *testing.T) {
	sameHashes(t, "ported", straight(t, robots.Ported(7), 3, 1, 400), straight(t, robots.Game(7), 3, 1, 400))
	sameHashes(t, "cured", straight(t, robots.Cured(7), 3, 1, 400), straight(t, robots.Game(7), 3, 1, 400))
	e := start(t, robots.Ported(7), config(3, rollback.SetOf(0), 8))
	sameHashes(t, "ported, late", late(t, e, 1, 400), straight(t, robots.Game(7), 3, 1, 400))
}

// Two ported matches at once get each other's ids. The hashes tell, against those of
// the same match alone.
func TestTwoPortedMatchesSpoilEachOther(t *testing.T) {
	const end = 200
	for name, c := range map[string]struct {
		g       func(uint64) game
		spoiled bool
	}{"own": {robots.Game, false}, "cured": {robots.Cured, false}, "ported": {robots.Ported, true}} {
		alone := straight(t, c.g(1), 2, 1, end)
		a := start(t, c.g(1), config(2, everyone(2), 0))
		b := start(t, c.g(2), config(2, everyone(2), 0))
		same := true
		for f := range rollback.Frame(end) {
			hashes, err := lone(t, a, 1, f+1)
			must(t, err)
			same = same && hashes[0] == alone[f]
			_, err = lone(t, b, 2, f+1)
			must(t, err)
		}
		want(t, name+" is spoiled", !same, c.spoiled)
	}
}

// A sync test finds it too, from depth 2 on: between two ticks the state has changed.
func TestSyncTestFindsTwoPortedMatches(t *testing.T) {
	cfg := config(2, everyone(2), 0)
	cfg.SyncTest = 2
	a, b := start(t, robots.Ported(1), cfg), start(t, robots.Ported(2), cfg)
	var err error
	for f := rollback.Frame(1); f < 200 && err == nil; f++ {
		if _, err = lone(t, a, 1, f); err == nil {
			_, err = lone(t, b, 2, f)
		}
	}
	mismatch(t, err, "LastID")
}

// A variable that Restore forgets is found by a sync test, since Hash and Equal know
// it. A walk does not, and goes on until an id of the wrong number is in the world.
func TestAForgottenGlobalIsFound(t *testing.T) {
	g := robots.Ported(1)
	restore := g.Restore
	g.Restore = func(w *robots.World, s *robots.Snapshot) {
		forgetful := *s
		forgetful.LastID = g.Describe(w).(*robots.Snapshot).LastID
		restore(w, &forgetful)
	}
	mismatch(t, syncTest(t, g, 7, 1, 200), "LastID")
	found := func(g game) rollback.Frame {
		var m *rollback.SyncTestError
		if err := syncTest(t, g, 7, 1, 200); !errors.As(err, &m) {
			t.Fatal(err)
		}
		return m.Frame
	}
	known, walked := found(g), found(without(g, "Hash", "Equal"))
	if known >= walked {
		t.Errorf("found in frame %d, and by a walk in frame %d", known, walked)
	}
	finds(t, "LastID", func(t testing.TB) { tickbacktest.Purity(t, g, busy()) })
}
