package arena_test

import (
	"testing"
	"unsafe"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/games/arena"
)

func plan(t testing.TB) *canon.Plan[arena.State] {
	t.Helper()
	p, err := canon.PlanFor[arena.State]()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The state is plain, and its memory is its encoding: slightly more than 2 KiB, without padding.
func TestTheStateHasNoGaps(t *testing.T) {
	p := plan(t)
	want(t, "bytes of the encoding", p.Size(), 2176)
	want(t, "bytes in memory", unsafe.Sizeof(arena.State{}), 2176)
	for _, gap := range p.Gaps() {
		t.Error(gap)
	}
	in, err := canon.PlanFor[arena.Input]()
	if err != nil {
		t.Fatal(err)
	}
	want(t, "bytes of an input", in.Size(), 3)
}

// The payloads of effects are within the engine's limits.
func TestPayloadsAreSmall(t *testing.T) {
	const limit = 32
	size := func(n int, err error) {
		t.Helper()
		if err != nil || n > limit {
			t.Errorf("%d bytes, %v", n, err)
		}
	}
	size(sizeOf[arena.Place]())
	size(sizeOf[arena.Salvo]())
	size(sizeOf[arena.Wound]())
	size(sizeOf[arena.Item]())
	size(sizeOf[arena.Count]())
	size(sizeOf[arena.Level]())
}

func sizeOf[T any]() (int, error) {
	p, err := canon.PlanFor[T]()
	if err != nil {
		return 0, err
	}
	return p.Size(), nil
}

func TestEveryConstantHasAName(t *testing.T) {
	for got, name := range map[string]string{
		arena.Broken.String():          "broken",
		arena.Out.String():             "out",
		arena.Big.String():             "big shots",
		arena.MatchOver.String():       "match over",
		(arena.MatchOver + 1).String(): "unknown",
	} {
		want(t, "name", got, name)
	}
}
