package rollback_test

import (
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: the interval of hashes is the shortest divisor of the bound at which few enough bytes are
// hashed, and never longer than the bound.
func TestTheIntervalOfHashesFollowsTheSize(t *testing.T) {
	for _, c := range []struct{ bytes, most, want int }{
		{0, 60, 1},
		{8, 60, 1},
		{8 << 10, 60, 1},
		{8<<10 + 2, 60, 2},
		{16 << 10, 60, 2},
		{16<<10 + 1, 60, 3},
		{64 << 10, 60, 10},
		{128 << 10, 60, 20},
		{1 << 20, 60, 60},
		{64 << 20, 60, 60},
		{1 << 20, 1, 1},
		{1 << 20, 7, 7},
		{64 << 10, 128, 8},
		{1 << 20, 0, 1},
		{1 << 20, -5, 1},
	} {
		want(t, "interval", rollback.HashInterval(c.bytes, c.most), c.want)
	}
	want(t, "large", rollback.DefaultHashInterval(rollback.Game[large, button]{}, 60), 60)
	want(t, "no state", rollback.DefaultHashInterval(rollback.Game[[]byte, button]{}, 60), 1)
	want(t, "own memory", rollback.DefaultHashInterval(rollback.OwnMemory[large, large, button]{}, 60), 1)
}

// Rule: without HashEvery, an engine hashes large states at the interval of their size.
func TestAnEngineHashesLargeStatesSeldom(t *testing.T) {
	var p places[[128 << 10]uint8]
	var sum uint64
	e := fresh(rollback.New(p.game(func(*[128 << 10]uint8) *uint64 { return &sum }), rollback.Config{Players: 1, Local: 1, Stream: true}))
	for f := range 45 {
		must(e.AddLocal(0, 1, nil))
		must(e.Tick())
		a := e.NextAgreed()
		want(t, "hashed", a.Hashed, (f+1)%20 == 0)
	}
}
