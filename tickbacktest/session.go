package tickbacktest

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/rollback"
)

const (
	// matchSeeds is the number of matches that [Match] plays, and shortSeeds the number with -short.
	matchSeeds, shortSeeds = 12, 3
	// matchLength is the length of each match, in virtual time.
	matchLength = 20 * time.Second
)

// Match plays whole matches of the game between machines, over a virtual network, in
// virtual time, with real sessions: handshake, rollback, pace, leaving, rematches. The
// network is that of a profile of package netem ("lan", "wifi", "mobile",
// "intercontinental", "awful"), or "swarm", which has all kinds of trouble, or "all".
// Machines are cut off, stall, move, leave and die; in half of the matches spectators
// watch, come late and change hosts. It fails if peers do not agree on inputs, states or
// the end of a match, or break any other promise of a session; fleet.Checkers lists
// them.
//
//	func TestMatch(t *testing.T) { tickbacktest.Match(t, game, 4, "all") }
//
// What the players do is random. The seeds are 1, 2, 3, ..., or begin with -rapid.seed.
// A failure shows the seed, the smallest schedule of faults that still fails, and a
// line for [MatchPlan] that plays it again.
//
// A game that is a process-wide global cannot be tested in this way, since every machine has an instance.
func Match[S any, I comparable](t testing.TB, game rollback.Definition[S, I], players int, profile string) {
	t.Helper()
	seeds := uint64(matchSeeds)
	if testing.Short() {
		seeds = shortSeeds
	}
	first := firstSeed()
	for seed := first; seed < first+seeds; seed++ {
		p, err := fleet.Draw(seed, profile, players, matchLength)
		if err != nil {
			t.Fatalf("tickbacktest.Match: %v", err)
		}
		playPlan(t, "Match", game, p)
	}
}

// MatchPlan plays one plan, in the JSON that a failure of [Match] or of "tickback soak" has printed. Nothing in it is
// random, so it is a test to keep once the cause is fixed.
func MatchPlan[S any, I comparable](t testing.TB, game rollback.Definition[S, I], plan string) {
	t.Helper()
	p, err := fleet.ParsePlan([]byte(plan))
	if err != nil {
		t.Fatalf("tickbacktest.MatchPlan: %v", err)
	}
	playPlan(t, "MatchPlan", game, p)
}

// firstSeed returns the seed given by -rapid.seed, which repeats the other tests as well, or 1.
func firstSeed() uint64 {
	if f := flag.Lookup("rapid.seed"); f != nil {
		if seed, err := strconv.ParseUint(f.Value.String(), 10, 64); err == nil && seed > 0 {
			return seed
		}
	}
	return 1
}

// playPlan plays a plan, and fails the test with the smallest plan that goes wrong in the same way.
func playPlan[S any, I comparable](t testing.TB, name string, game rollback.Definition[S, I], p fleet.Plan) {
	t.Helper()
	if inOtherBuild() {
		return
	}
	play := func(p fleet.Plan) (fleet.Result, error) { return fleet.Play(game, p, fleet.Options[S, I]{}) }
	res, err := play(p)
	if err != nil {
		t.Fatalf("tickbacktest.%s: %v", name, err)
	}
	if res.OK() {
		return
	}
	first := res.Violations[0]
	least := fleet.Shrink(p, fleet.DefaultShrinks, fleet.SameFailure(first.Checker, play))
	if again, err := play(least); err == nil && !again.OK() {
		first = again.Violations[0]
	}
	t.Fatalf("tickbacktest.%s: %s", name, planReport(p, least, first))
}

// planReport returns the text of a failure.
func planReport(p, least fleet.Plan, first fleet.Violation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, %d players, profile %s\n  %v\n", p.Seed, p.Players(), p.Profile, first)
	fmt.Fprintf(&b, "\nthe least that fails so:\n  %s\n", strings.ReplaceAll(strings.TrimSpace(least.String()), "\n", "\n  "))
	switch first.Checker {
	case "inputs", "states", "health":
		b.WriteString("\nlikely causes: the game is not deterministic (SyncTest, Twins and Purity say more), or a bug of Tickback's\n")
	}
	fmt.Fprintf(&b, "\nto play exactly this again:\n  tickbacktest.MatchPlan(t, game, `%s`)", strings.TrimSpace(string(least.JSON())))
	return b.String()
}
