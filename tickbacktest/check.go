package tickbacktest

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Check runs all checks of this package: [SyncTest], [Twins], [Purity], and, for a game with Floats: tickback.Strict,
// [Builds], as subtests if t is a *testing.T. For a game with its own memory, each check does as much as the game's
// functions allow. Parts that are left out are logged, with the functions that the game would need (go test -v shows
// it); nothing is asked for that [rollback.SaveInPlace] knows by itself. A check that is left out completely, because
// there is no Save or New, is a skipped subtest. So is Builds, which takes a minute, once another check has failed.
func Check[S any, I comparable](t testing.TB, game rollback.Definition[S, I], opts Options[I]) {
	t.Helper()
	parent, subtests := t.(*testing.T)
	good := true // so far
	for _, c := range checks[S, I]() {
		if inOtherBuild() {
			break
		}
		if subtests {
			good = parent.Run(c.name, func(t *testing.T) {
				if err := c.possible(game); err != nil {
					t.Skipf("tickbacktest.%s is left out: %v", c.name, err)
				}
				hunt(t, c.id, game, opts)
			}) && good
			continue
		}
		if err := c.possible(game); err != nil {
			t.Logf("tickbacktest.%s is left out: %v", c.name, err)
			continue
		}
		if text := newHunter(t, c, game).run(opts); text != "" {
			t.Error(text)
			good = false
		}
	}
	if subtests {
		parent.Run("Builds", func(t *testing.T) { checkTheBuilds(t, game, opts, good) })
		return
	}
	checkTheBuilds(t, game, opts, good)
}

// errOthersFailed is a reason not to compare builds, which takes a minute.
var errOthersFailed = errors.New("another check has failed, and builds can only agree if each agrees with itself")

// checkTheBuilds runs Builds for a game that must give the same results in all builds, if the other checks were good.
func checkTheBuilds[S any, I comparable](t testing.TB, game rollback.Definition[S, I], opts Options[I], good bool) {
	t.Helper()
	b := newBuilds(t, game)
	if inOtherBuild() {
		b.answer()
		return
	}
	_, subtest := t.(*testing.T)
	err := b.expected(good)
	var text string
	if err == nil {
		text, err = b.run(opts)
	}
	switch {
	case err != nil && subtest:
		t.Skipf("tickbacktest.Builds is left out: %v", err)
	case err != nil && rollback.FloatsOf(game) == rollback.Strict: // for other games a comparison is not required
		t.Logf("tickbacktest.Builds is left out: %v", err)
	case text != "":
		t.Error(text)
	}
}
