package rollback_test

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: any state that is held has a hash, that of the state when it was the current one, if the game is plain
// or has Slots.Hash; others have the hashes of the current state and of those that the stream hashes. States that
// are not held have none.
func TestHeldStatesHaveHashes(t *testing.T) {
	slots := heapWith(func(g *heapGame) { g.Slots = heapSlots() })
	for name, c := range map[string]struct {
		game  rollback.Definition[heap, button]
		every Frame // whose multiples have hashes
	}{"slots": {slots, 1}, "none": {heapWith(func(*heapGame) {}), 4}} {
		cfg := two(8)
		cfg.Stream, cfg.HashEvery = true, 4
		hashes(t, name, fresh(rollback.New(c.game, cfg)), c.every)
	}
	cfg := two(8)
	cfg.Stream, cfg.HashEvery = true, 4
	hashes(t, "plain", fresh(rollback.New(rollback.Game[world, button]{Step: func(w *world, t *rollback.Tick[button]) { w.Sum = w.Sum*31 + uint64(t.Input(0)) + uint64(t.Frame()) }}, cfg)), 1)
}

func hashes[S any](t *testing.T, name string, e *rollback.Engine[S, button], every Frame) {
	t.Helper()
	was := map[Frame]uint64{}
	for f := range Frame(15) {
		h, err := e.Hash()
		must(err)
		was[f] = h
		must(e.AddLocal(0, 3, nil))
		must(e.AddInput(1, f, button(f), nil))
		must(e.Tick())
	}
	for f := range Frame(17) {
		h, err := e.HashOf(f)
		var lacks *rollback.CapabilityError
		switch held := f >= 7 && f <= 15; {
		case !held && !errors.Is(err, rollback.ErrNotHeld):
			t.Errorf("%s: state %d: %v", name, f, err)
		case held && f < 15 && f%every != 0 && !errors.As(err, &lacks):
			t.Errorf("%s: state %d: %v", name, f, err)
		case held && f < 15 && f%every == 0 && (err != nil || h != was[f]):
			t.Errorf("%s: state %d: %#x, not %#x: %v", name, f, h, was[f], err)
		}
	}
}
