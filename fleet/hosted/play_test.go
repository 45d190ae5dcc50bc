package hosted

import (
	"embed"
	"flag"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/games/tanks"
)

var (
	seedFlag   = flag.Uint64("hosted.seed", 1, "play the plans of this seed, and of those that follow")
	runsFlag   = flag.Uint64("hosted.runs", 0, "play so many plans of each game; 0 is few")
	waysFlag   = flag.String("hosted.profile", fleet.All, "the profile of these plans")
	lengthFlag = flag.Duration("hosted.length", 20*time.Second, "the length of these matches")
)

// soak plays plans, and shrinks one that fails.
func soak[S any, I comparable](t *testing.T, game Game[S, I], rules Rules, few uint64) {
	t.Helper()
	runs := few
	if *runsFlag > 0 {
		runs = *runsFlag
	}
	var sum ClientResult
	var seen, jumps, joined uint64
	start := time.Now()
	for seed := *seedFlag; seed < *seedFlag+runs; seed++ {
		p, err := Draw(seed, *waysFlag, rules, *lengthFlag)
		if err != nil {
			t.Fatal(err)
		}
		run := func(p Plan) (Result, error) { return Play(game, p, Options[S, I]{}) }
		res, err := run(p)
		if err != nil {
			t.Fatal(err)
		}
		if !res.OK() {
			least := Shrink(p, fleet.DefaultShrinks, SameFailure(res.Violations[0].Checker, run))
			t.Fatalf("-hosted.seed=%d -hosted.profile=%s -hosted.length=%v: %v\nthe least that fails so:\n%v%s", seed, *waysFlag, *lengthFlag, res.Violations[0], least, least.JSON())
		}
		s := res.Sum()
		sum.Add(&s)
		joined += res.Joined
		for _, w := range res.Spectators {
			seen, jumps = seen+w.Frames, jumps+w.Jumps
		}
	}
	t.Logf("%d matches in %v: %+v; joined %d, spectators have seen %d frames, %d jumps", runs, time.Since(start), sum, joined, seen, jumps)
	if runs < 4 {
		return // one client may be alone for long, or away
	}
	ticks := runs * uint64(rules.TickRate)
	if sum.States < 5*ticks || sum.Predictions < 5*ticks || sum.Effects < ticks/2 || sum.Corrections.Sum() == 0 {
		t.Errorf("too little was looked at: %+v", sum)
	}
}

// Rule: on any links, whichever clients come, go and sleep, a server and its clients keep all their promises.
func TestPlansOfTheTanks(t *testing.T) { soak(t, tanksGame(), tanksRules, short(4, 60)) }

// Rule: the same holds for a game with orders, a Check and a StandIn, whose inputs are random.
func TestPlansOfAGameWithOrders(t *testing.T) { soak(t, boardGame(), boardRules, short(12, 60)) }

// Rule: and at any tick rate: with a second that is a few ticks, and with one that is more ticks than a client is told
// about at a time.
func TestPlansOfOtherTickRates(t *testing.T) {
	for _, rate := range []int{2, 8, 60, 100, 144, 240} {
		soak(t, boardGame(), Rules{Places: 4, TickRate: rate, Sight: true}, short(1, 12))
	}
}

// Rule: the same holds for slow machines: limits that are times are the same times at any tick rate. Most of these
// plans failed when limits on debt, on lag and on the cost of updates were the same number of ticks at every rate.
func TestSlowMachinesAtAnyTickRate(t *testing.T) {
	for _, c := range []struct {
		rate  int
		seeds []uint64
	}{{2, []uint64{16, 32, 40}}, {4, []uint64{10, 12, 15}}, {8, []uint64{6, 32, 44}}, {20, []uint64{1}}, {144, []uint64{2}}, {240, []uint64{53}}} {
		for _, seed := range c.seeds {
			p, err := Draw(seed, fleet.Slow, Rules{Places: 4, TickRate: c.rate, Sight: true}, 20*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			if res := playBoard(t, p, Options[board, uint8]{}); !res.OK() {
				t.Errorf("%d ticks a second, seed %d: %v", c.rate, seed, res.Violations)
			}
		}
	}
}

func short(few, many uint64) uint64 {
	if testing.Short() {
		return few
	}
	return many
}

// Rule: a plan is one run, bit by bit.
func TestAPlanIsOneRun(t *testing.T) {
	p, err := Draw(7, Ways, tanksRules, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	one, other := play(t, p, options{}), play(t, p, options{})
	p.Seed++
	if another := play(t, p, options{}); one.Digest != other.Digest || one.Digest == another.Digest {
		t.Errorf("digests %x and %x, and with another seed %x", one.Digest, other.Digest, another.Digest)
	}
}

// found are plans that have failed once, each because of another defect:
//
//   - seen-again: with partial sight, a player that came back out of sight was predicted as away.
//   - beyond: an update of a state that the client had not reached made it forget everybody's inputs,
//     and who was away.
//   - late-start: a client that left out ticks before its first one panicked.
//   - slept: a client whose process stood still for some seconds never ran a tick by itself again.
//   - cut: after a way was cut for six seconds, it took as long until a state came.
//   - server-hitch: a server that catches up sent every client all states in between, and dropped
//     datagrams.
//   - end-burst: a burst of losses began after the last state had come, and before the outcome had.
//   - few-states: of two states in a second, a burst lost all for some seconds, which is bad luck.
//   - sixteen: nobody could watch a match with more than eight places.
//   - slow-forgiven: a slow client whose debt had become smaller counted as quick for a moment, and ran at once all that it
//     had missed, silent for longer than it may be.
//   - slow-burst: a client that was busy for a moment ran ten ticks for each of seven updates that had come meanwhile.
//   - slow-differences: a client whose ticks take three periods ran twelve of them to learn one state, and was silent meanwhile
//     for longer than it may be.
//   - slept-in-the-handshake: a client that stood still between the server's Welcome and its own request for a place went on to
//     ask with a Welcome that the server had forgotten.
//   - slow-reading: the time in which a slow machine reads was taken for its owner's, so that it had fewer pictures.
//
//go:embed testdata/found
var found embed.FS

// Rule: errors that were found once do not come back.
func TestWhatWasFound(t *testing.T) {
	files, err := found.ReadDir("testdata/found")
	if err != nil || len(files) < 14 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		b, err := found.ReadFile("testdata/found/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		p, err := ParsePlan(b)
		if err != nil {
			t.Fatalf("%s: %v", f.Name(), err)
		}
		if res := play(t, p, Options[tanks.State, tanks.Input]{}); !res.OK() {
			t.Errorf("%s: %v", f.Name(), res.Violations)
		}
	}
}
