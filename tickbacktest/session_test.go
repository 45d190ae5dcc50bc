package tickbacktest

import (
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

// Positive controls: the games of this repository play matches on every network.
func TestMatchesOfGoodGamesPass(t *testing.T) {
	game, err := duel.Game(1)
	if err != nil {
		t.Fatal(err)
	}
	Match(t, game, 2, "all")
	Match(t, arena.Game(1), 4, "swarm")
}

// The negative control: a game that depends on how often it was simulated reaches different states on different
// machines. The report has a seed, the shortest schedule found, and a line that fails again.
func TestMatchFindsAGameThatIsNotDeterministic(t *testing.T) {
	type state struct{ Frame, Odd uint32 }
	calls := 0
	bad := rollback.Game[state, pad]{Step: func(s *state, k *rollback.Tick[pad]) {
		calls++
		if s.Frame++; s.Frame > 40 {
			s.Odd += uint32(calls)
		}
	}}
	text := reports(t, func(t testing.TB) { Match(t, bad, 3, "all") },
		"tickbacktest.Match: seed", "states: at", "profile", "the least that fails so", "not deterministic", "MatchPlan(t, game, `{")
	_, plan, _ := strings.Cut(text, "MatchPlan(t, game, `")
	plan = strings.TrimSuffix(strings.TrimSpace(plan), "`)")
	p, err := fleet.ParsePlan([]byte(plan))
	if err != nil || len(p.Machines) != 2 || len(p.Faults) > 1 || p.Frames > 200 {
		t.Fatalf("%v: it is not shrunk: %v", err, p)
	}
	reports(t, func(t testing.TB) { MatchPlan(t, bad, plan) }, "tickbacktest.MatchPlan: seed", "states: at")
}

// The error says which match cannot be played.
func TestMatchRefuses(t *testing.T) {
	reports(t, func(t testing.TB) { Match(t, arena.Game(1), 1, "lan") }, "1 players")
	reports(t, func(t testing.TB) { Match(t, arena.Game(1), 2, "moon") }, "moon", "wifi", "swarm")
	reports(t, func(t testing.TB) { MatchPlan(t, arena.Game(1), "{}") }, "invalid fleet.Plan")
	p, err := fleet.Draw(1, "lan", 2, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	MatchPlan(t, arena.Game(1), string(p.JSON()))
}
