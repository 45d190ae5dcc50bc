package tickbacktest

import (
	"testing"

	"github.com/tickback/tickback/fleet/hosted"
	"github.com/tickback/tickback/rollback"
)

type tally struct{ Sum [4]int64 }

func tallyGame(wrong bool) hosted.Game[tally, uint8] {
	return hosted.Game[tally, uint8]{Game: rollback.Game[tally, uint8]{Step: func(s *tally, k *rollback.Tick[uint8]) {
		for p := range k.Players() {
			s.Sum[p] = s.Sum[p]*3 + int64(k.Input(p))
			if wrong && k.Resimulating() {
				s.Sum[p]++
			}
		}
	}}}
}

// Rule: a game that is right passes, and one whose step depends on how often it ran is reported, with
// the least that fails so.
func TestServed(t *testing.T) {
	passes(t, func(t testing.TB) { Served(t, tallyGame(false), 4, 20) })
	reports(t, func(t testing.TB) { Served(t, tallyGame(true), 4, 20) }, "the least that fails so", "tickbacktest.ServedPlan(t, game")
	reports(t, func(t testing.TB) { ServedPlan(t, tallyGame(false), "{}") }, "Places")
}
