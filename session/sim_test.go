package session

import (
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: a sample comes back once, with the bytes that it has, which may be none; after a change of the delay, the
// inputs of all frames that it fills come back, one after the other.
func TestASampleComesBack(t *testing.T) {
	t.Run("without bytes", func(t *testing.T) {
		sampleComesBack(t, func(Frame) (none struct{}) { return none }, 0)
	})
	t.Run("with a byte", func(t *testing.T) { sampleComesBack(t, func(Frame) uint8 { return 7 }, 1) })
}

func sampleComesBack[I comparable](t *testing.T, input func(Frame) I, size int) {
	game := rollback.Game[uint64, I]{Step: func(*uint64, *rollback.Tick[I]) {}}
	cfg := Config{Players: 1, Local: rollback.SetOf(0)}
	if err := cfg.complete(); err != nil {
		t.Fatal(err)
	}
	s, err := newSimulator(game, &cfg, Hooks[uint64, I]{Sample: func(Player) I { return input(0) }})
	if err != nil {
		t.Fatal(err)
	}
	next := Frame(0)
	frame := func(delay int, want int) {
		t.Helper()
		if err := s.SetDelay(0, delay); err != nil {
			t.Fatal(err)
		}
		for n, more := 0, true; more; n++ {
			got, err := s.sample(0, next)
			if err != nil || (got != nil) != (n < want) || got != nil && len(got.input) != size {
				t.Fatalf("delay %d, input %d of %d: %+v, %v", delay, n, want, got, err)
			}
			if got == nil {
				break
			}
			next++
			more = got.more
		}
		if known := s.Next(0); next != known {
			t.Fatalf("delay %d: %d inputs came back, and %d are known", delay, next, known)
		}
		if err := s.Tick(); err != nil {
			t.Fatal(err)
		}
	}
	frame(0, 1)
	frame(0, 1)
	frame(3, 4) // the three frames in between repeat it
	frame(3, 1)
	frame(1, 0) // what repeats the one before is left out
	frame(1, 0)
	frame(1, 1)
}
