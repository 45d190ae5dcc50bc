package tickbacktest

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/fleet/hosted"
)

// Served plays whole matches of the game that a server owns, in virtual time, with real servers and clients on bad
// networks: clients come and go at any time, come back from other addresses, hitch, sleep and are cut off. With a
// Sight, in half of the matches clients receive only what it leaves. It fails if a client's known state is not what it
// may know of the server's, if it receives something that depends on a random generator of the state, if its
// prediction differs from that of a naive client, if it corrects its own player without a cause, if it shows effects
// twice, or if any other promise is broken; hosted.Checkers lists them.
//
//	func TestServed(t *testing.T) {
//		tickbacktest.Served(t, hosted.Game[State, Input]{Game: game, Sight: sight}, 16, 20)
//	}
//
// What the players do is random, unless the game has an Input. The seeds are 1, 2, 3, ..., or begin
// with -rapid.seed. A failure shows the seed, the smallest plan that still fails, and a line for
// [ServedPlan] that plays it again.
func Served[S any, I comparable](t testing.TB, game hosted.Game[S, I], places, tickRate int) {
	t.Helper()
	seeds := uint64(matchSeeds)
	if testing.Short() {
		seeds = shortSeeds
	}
	first := firstSeed()
	for seed := first; seed < first+seeds; seed++ {
		p, err := hosted.Draw(seed, fleet.All, hosted.Rules{Places: places, TickRate: tickRate, Sight: game.Sight != nil}, matchLength)
		if err != nil {
			t.Fatalf("tickbacktest.Served: %v", err)
		}
		playServed(t, "Served", game, p)
	}
}

// ServedPlan plays one plan, in the JSON that a failure of [Served] has printed.
func ServedPlan[S any, I comparable](t testing.TB, game hosted.Game[S, I], plan string) {
	t.Helper()
	p, err := hosted.ParsePlan([]byte(plan))
	if err != nil {
		t.Fatalf("tickbacktest.ServedPlan: %v", err)
	}
	playServed(t, "ServedPlan", game, p)
}

// playServed plays a plan, and fails the test with the smallest plan that goes wrong in the same way.
func playServed[S any, I comparable](t testing.TB, name string, game hosted.Game[S, I], p hosted.Plan) {
	t.Helper()
	if inOtherBuild() {
		return
	}
	play := func(p hosted.Plan) (hosted.Result, error) { return hosted.Play(game, p, hosted.Options[S, I]{}) }
	res, err := play(p)
	if err != nil {
		t.Fatalf("tickbacktest.%s: %v", name, err)
	}
	if res.OK() {
		return
	}
	first := res.Violations[0]
	least := hosted.Shrink(p, fleet.DefaultShrinks, hosted.SameFailure(first.Checker, play))
	t.Fatalf("tickbacktest.%s: seed %d, profile %s\n  %v\n\nthe least that fails so:\n  %s\n\nto play exactly this again:\n  tickbacktest.ServedPlan(t, game, `%s`)",
		name, p.Seed, p.Profile, first, strings.ReplaceAll(strings.TrimSpace(least.String()), "\n", "\n  "), strings.TrimSpace(string(least.JSON())))
}
