package fleet

import (
	"flag"
	"os"
	"testing"
	"time"

	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/session"
)

var (
	soakRuns    = flag.Uint64("fleet.runs", 0, "how many plans TestPlansOfAllProfiles plays of each number of players")
	soakOne     = flag.Int("fleet.players", 0, "play the plan of -fleet.seed for so many players, to look at")
	soakLength  = flag.Duration("fleet.length", time.Minute, "how long they are")
	soakProfile = flag.String("fleet.profile", All, "the profile of these plans")
	soakPlan    = flag.String("fleet.plan", "", "play this plan of the arena")
)

func startArena(p session.Parameters) (func(*arena.State), error) {
	return func(s *arena.State) { *s = arena.New(p.Seed) }, nil
}

// playArena plays a plan of the arena.
func playArena(t testing.TB, p Plan) Result {
	t.Helper()
	res, err := Play(arena.Game(0), p, Options[arena.State, arena.Input]{Start: startArena})
	if err != nil {
		t.Fatalf("%v\n%v", err, p)
	}
	return res
}

// playLedger plays a plan of the game that remembers everything.
func playLedger(t testing.TB, p Plan) Result {
	t.Helper()
	res, err := Play(ledgerGame(nil), p, Options[ledger, note]{})
	if err != nil {
		t.Fatalf("%v\n%v", err, p)
	}
	return res
}

// fine fails the test if a run has violations.
func fine(t testing.TB, p Plan, res Result) {
	t.Helper()
	if res.OK() {
		return
	}
	for _, v := range res.Violations {
		t.Error(v)
	}
	for i, w := range res.Spectators {
		t.Logf("watcher %d: %v, %s, %v, %d frames, outcomes %+v", i, w.Phase, w.Gone, w.Err, w.Frames, w.Outcomes)
		for _, e := range w.Events[max(0, len(w.Events)-25):] {
			t.Logf("  watcher %d: %v", i, e)
		}
	}
	for i, m := range res.Machines {
		t.Logf("machine %d: %v, %s, %v, outcomes %+v", i, m.Phase, m.Gone, m.Err, m.Outcomes)
		for _, e := range m.Events[max(0, len(m.Events)-25):] {
			t.Logf("  machine %d: %v", i, e)
		}
	}
	play := func(p Plan) (Result, error) { return Play(ledgerGame(nil), p, Options[ledger, note]{}) }
	least := Shrink(p, DefaultShrinks, SameFailure(res.Violations[0].Checker, play))
	t.Fatalf("%v\nthe least that fails so: %v\n%s", p, least, least.JSON())
}

func drawn(t testing.TB, seed uint64, profile string, players int, length time.Duration) Plan {
	t.Helper()
	p, err := Draw(seed, profile, players, length)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Whatever a plan has, a session keeps its promises.
func TestPlansOfAllProfiles(t *testing.T) {
	runs, length := uint64(24), 15*time.Second
	if testing.Short() {
		runs, length = 4, 6*time.Second
	}
	if *soakRuns > 0 {
		runs, length = *soakRuns, *soakLength
	}
	first := max(*seedFlag, 1)
	for _, players := range []int{2, 3, 4, 8, 16} {
		for seed := first; seed < first+runs; seed++ {
			p := drawn(t, seed, *soakProfile, players, length)
			if res := playLedger(t, p); !res.OK() {
				t.Logf("replay with -fleet.seed=%d, %d players", seed, players)
				t.Errorf("%d players, seed %d: %v", players, seed, res.Violations[0])
			}
		}
	}
}

// A plan in a file is played, to look at.
func TestPlanInAFile(t *testing.T) {
	if *soakOne > 0 {
		p := drawn(t, *seedFlag, *soakProfile, *soakOne, *soakLength)
		fine(t, p, playLedger(t, p))
		return
	}
	if *soakPlan == "" {
		t.Skip("no -fleet.plan")
	}
	b, err := os.ReadFile(*soakPlan)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ParsePlan(b)
	if err != nil {
		t.Fatal(err)
	}
	fine(t, p, playArena(t, p))
}
