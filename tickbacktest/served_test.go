package tickbacktest

import (
	"testing"

	"github.com/tickback/tickback/fleet/hosted"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
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

// Rule: a correct game passes, and one whose step depends on how often it ran is reported, with the smallest plan that
// fails in this way.
func TestServed(t *testing.T) {
	passes(t, func(t testing.TB) { Served(t, tallyGame(false), 4, 20) })
	reports(t, func(t testing.TB) { Served(t, tallyGame(true), 4, 20) }, "the least that fails so", "tickbacktest.ServedPlan(t, game")
	reports(t, func(t testing.TB) { ServedPlan(t, tallyGame(false), "{}") }, "Places")
}

// draws is a state with a hidden random number.
type draws struct {
	Open   [4]uint32
	Hidden uint32
	Rng    rng.Xorshift32
}

func drawsGame(sight func(s *draws)) hosted.Game[draws, uint8] {
	return hosted.Game[draws, uint8]{
		Game: rollback.Game[draws, uint8]{Step: func(s *draws, k *rollback.Tick[uint8]) {
			for p := range k.Players() {
				s.Open[p] += uint32(k.Input(p))
			}
			s.Hidden = s.Rng.Next()
		}},
		Start: func(p session.Parameters) (func(*draws), error) {
			return func(s *draws) { *s = draws{Rng: rng.Xorshift32{State: uint32(p.Seed) | 1}} }, nil
		},
		Sight: func(s *draws, p rollback.Player) rollback.PlayerSet {
			sight(s)
			return ^rollback.PlayerSet(0)
		},
	}
}

// Rule: a sight that reveals a generator, from the first state on or only later, is reported; so is a game whose
// clients could make state 0 themselves.
func TestServedFindsGeneratorsThatAreToldToClients(t *testing.T) {
	blank := func(s *draws) { s.Hidden, s.Rng = 0, rng.Xorshift32{} }
	passes(t, func(t testing.TB) { Served(t, drawsGame(blank), 4, 20) })
	reports(t, func(t testing.TB) { Served(t, drawsGame(func(s *draws) { s.Hidden = 0 }), 4, 20) }, `is told "Rng`)
	reports(t, func(t testing.TB) {
		Served(t, drawsGame(func(s *draws) {
			if s.Hidden == 0 || s.Hidden>>28 != 3 {
				s.Rng = rng.Xorshift32{}
			}
			s.Hidden = 0
		}), 4, 20)
	}, "secrets", `is told "Rng`)
	known := drawsGame(blank)
	known.Start = nil
	reports(t, func(t testing.TB) { Served(t, known, 4, 20) }, "Start is required")
}
