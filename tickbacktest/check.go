package tickbacktest

import (
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Check runs all checks of this package: [SyncTest], [Twins] and [Purity], as subtests if t
// is a *testing.T. A game with its own memory has each of them do as much as it gives
// functions for. What that leaves out is logged, with what the game would have to
// give (go test -v shows it); a check that is left out as a whole, because there is no Save
// or New, is a subtest that is skipped.
func Check[S any, I comparable](t testing.TB, game rollback.Definition[S, I], opts Options[I]) {
	t.Helper()
	parent, subtests := t.(*testing.T)
	for _, c := range checks[S, I]() {
		if subtests {
			parent.Run(c.name, func(t *testing.T) {
				if err := c.possible(game); err != nil {
					t.Skipf("tickbacktest.%s is left out: %v", c.name, err)
				}
				hunt(t, c.id, game, opts)
			})
			continue
		}
		if err := c.possible(game); err != nil {
			t.Logf("tickbacktest.%s is left out: %v", c.name, err)
			continue
		}
		if text := newHunter(t, c, game).run(opts); text != "" {
			t.Error(text)
		}
	}
}
