package tanks_test

import (
	"testing"
	"unsafe"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/games/tanks"
)

// The state is plain, and its memory is its encoding, without padding.
func TestTheStateHasNoGaps(t *testing.T) {
	p := plan(t)
	want(t, "bytes of the encoding", p.Size(), 5176)
	want(t, "bytes in memory", unsafe.Sizeof(tanks.State{}), 5176)
	for _, gap := range p.Gaps() {
		t.Error(gap)
	}
	in, err := canon.PlanFor[tanks.Input]()
	if err != nil {
		t.Fatal(err)
	}
	want(t, "bytes of an input", in.Size(), 4)
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
	size(sizeOf[tanks.Salvo]())
	size(sizeOf[tanks.Spot]())
	size(sizeOf[tanks.Wound]())
	size(sizeOf[tanks.Wreck]())
	size(sizeOf[tanks.End]())
}

func sizeOf[T any]() (int, error) {
	p, err := canon.PlanFor[T]()
	if err != nil {
		return 0, err
	}
	return p.Size(), nil
}

func TestStancesHaveNames(t *testing.T) {
	for got, name := range map[string]string{
		tanks.Absent.String(): "absent", tanks.Alive.String(): "alive", tanks.Out.String(): "out",
		tanks.Hidden.String(): "hidden", (tanks.Hidden + 1).String(): "unknown",
	} {
		want(t, "name", got, name)
	}
}
