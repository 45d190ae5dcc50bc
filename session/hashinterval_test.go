package session

import (
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: without HashEvery, the hash interval is derived from the size of a state, divides the
// comparison interval, and is compared by the handshake.
func TestTheIntervalOfHashesFollowsFromTheState(t *testing.T) {
	intervalIs[[64 << 10]byte](t, Config{Players: 1}, 10)
	intervalIs[[1 << 20]byte](t, Config{Players: 1}, 60)
	intervalIs[[1 << 20]byte](t, Config{Players: 1, ChainEvery: 7}, 7)
	intervalIs[[1 << 20]byte](t, Config{Players: 1, HashEvery: 2}, 2)
	intervalIs[uint64](t, Config{Players: 1}, 1)
}

func intervalIs[S any](t *testing.T, cfg Config, want uint16) {
	t.Helper()
	game := rollback.Game[S, uint8]{Step: func(*S, *rollback.Tick[uint8]) {}}
	s, err := New(game, cfg, Hooks[S, uint8]{Sample: func(Player) uint8 { return 0 }})
	if err != nil {
		t.Fatal(err)
	}
	if got := itemsOf(&s.cfg, 1, 0).HashEvery; got != want {
		t.Errorf("%T with %d and %d: every %d, want %d", *new(S), cfg.HashEvery, cfg.ChainEvery, got, want)
	}
}
