package tickbacktest

import (
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Check runs all checks of this package as subtests: [SyncTest], [Twins] and [Purity].
// Those that a game with its own memory cannot run, because it has no Save or New, are
// skipped with a message.
func Check[S any, I comparable](t *testing.T, game rollback.Definition[S, I], opts Options[I]) {
	t.Helper()
	for _, c := range checks[S, I]() {
		t.Run(c.name, func(t *testing.T) {
			if c.needs != nil {
				if err := c.needs(game); err != nil {
					t.Skip(err)
				}
			}
			hunt(t, c.id, game, opts)
		})
	}
}
