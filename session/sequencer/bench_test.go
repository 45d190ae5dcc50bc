package sequencer

import (
	"testing"

	"github.com/tickback/tickback/internal/floor"
	"github.com/tickback/tickback/rollback"
)

// BenchmarkTick is a tick of a full match: each client has sent two datagrams with its newest six
// inputs of 4 bytes, and its margins are reported. The floor copies the inputs of the tick.
func BenchmarkTick(b *testing.B) {
	s, err := New(Config{Width: 4, Rate: 20, Ahead: 32})
	if err != nil {
		b.Fatal(err)
	}
	for p := range Player(rollback.MaxPlayers) {
		s.Join(p, 0)
	}
	input, out := []byte{1, 2, 3, 4}, make([]byte, 4*rollback.MaxPlayers)
	margins := 0
	floor.Compare(b, func(n int) {
		for range n {
			for p := range rollback.MaxPlayers {
				copy(out[4*p:], input)
			}
		}
	}, func(n int) {
		for range n {
			f := s.Next()
			for p := range Player(rollback.MaxPlayers) {
				for range 2 {
					for i := range Frame(6) {
						s.Add(p, f+5-i, input, 0)
					}
				}
				for _, any := s.TakeMargin(p); any; _, any = s.TakeMargin(p) {
					margins++
				}
			}
			s.Close(f, 0)
		}
	})
	if margins == 0 {
		b.Fatal("no input comes")
	}
}
