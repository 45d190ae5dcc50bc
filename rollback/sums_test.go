package rollback

import (
	"math/rand/v2"
	"testing"
)

// Rule: hashes that were kept are there until they are taken, however late that is, up to the most; and if they are
// taken soon, there is no more room than at first.
func TestKeptSums(t *testing.T) {
	for _, c := range []struct{ behind, room int }{{0, firstSums}, {firstSums / 2, firstSums}, {firstSums + 1, 2 * firstSums}, {200, 256}, {511, 512}} {
		r := rand.New(rand.NewPCG(1, uint64(c.behind)))
		s, read := make(sums, firstSums), Frame(1)
		s.reset()
		for f := Frame(1); f < 3000; f++ {
			s.keep(f, uint64(f)*3, 512)
			if r.IntN(4) == 0 {
				s.keep(f, uint64(f)*3, 512) // the match stalls, and comes here again
			}
			for ; read+Frame(c.behind) <= f; read++ {
				if got := s.take(read); got != uint64(read)*3 {
					t.Fatalf("%d frames behind: the hash of state %d is %d", c.behind, read, got)
				}
			}
		}
		if len(s) != c.room {
			t.Errorf("%d frames behind there is room for %d", c.behind, len(s))
		}
	}
}

// Rule: if more are kept than there may be, the oldest are lost, and nothing else happens.
func TestMoreSumsThanThereMayBe(t *testing.T) {
	s := make(sums, firstSums)
	s.reset()
	for f := Frame(1); f <= 1000; f++ {
		s.keep(f, uint64(f), 256)
	}
	if len(s) != 256 {
		t.Errorf("there is room for %d", len(s))
	}
	for f := Frame(745); f <= 1000; f++ {
		if got := s.take(f); got != uint64(f) {
			t.Fatalf("the hash of state %d is %d", f, got)
		}
	}
}
