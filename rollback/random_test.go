package rollback_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tickback/tickback/rollback"
)

var seedFlag = flag.Uint64("rollback.seed", 0, "replay the random match of this seed")

// generator chooses for ever.
type generator struct{ *rand.Rand }

func (generator) Done() bool { return false }

func seeded(seed uint64) generator { return generator{rand.New(rand.NewPCG(seed, 0))} }

// The engine does the same as the reference, over random matches of all
// kinds.
func TestTheEngineFollowsTheRules(t *testing.T) {
	if *seedFlag != 0 {
		m, err := randomMatch(*seedFlag)
		t.Logf("%v\n%+v\n%v", m, m.r.stats, m.seen)
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	want := 4_000_000
	if testing.Short() {
		want = 100_000 // too few to see everything
	}
	all, operations, matches := randomMatches(t, want)
	t.Logf("%d operations in %d matches: %v", operations, matches, &all)
	if missing := all.missing(); len(missing) > 0 && !testing.Short() && !t.Failed() {
		t.Errorf("never seen: %v", missing)
	}
}

// randomMatches plays until there were so many operations.
func randomMatches(t *testing.T, want int) (all coverage, operations, matches int) {
	var lock sync.Mutex
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for {
				seed := rand.Uint64() | 1
				m, err := randomMatch(seed)
				lock.Lock()
				operations, matches = operations+m.operations, matches+1
				all.add(&m.seen)
				done := operations >= want || t.Failed()
				if err != nil {
					t.Errorf("-rollback.seed=%d: %v: %v", seed, m, err)
					done = true
				}
				lock.Unlock()
				if done {
					return
				}
			}
		})
	}
	workers.Wait()
	return all, operations, matches
}

// randomMatch plays the match of a seed.
func randomMatch(seed uint64) (*match, error) {
	m := newMatch(seeded(seed))
	return m, m.run(5000)
}

// Negative control: an engine with a fault, or with wrong data, is detected.
func TestADeviationIsFound(t *testing.T) {
	for name, spoil := range map[string]func(m *match){
		"a step that is not deterministic": func(m *match) { m.tape.liar = 40 },
		"an input that the reference has otherwise": func(m *match) {
			for p := range m.r.who {
				k := m.r.fact(Player(p), m.r.frame)
				*k = fact{true, 200, ""}
			}
		},
		"an early stop more":          func(m *match) { m.r.stops = !m.r.stops },
		"a larger window":             func(m *match) { m.r.cfg.Window++; m.r.stats.Histogram = append(m.r.stats.Histogram, 0) },
		"another delay":               func(m *match) { m.r.who[0].delay++; m.r.who[1].delay++ },
		"another rule of prediction":  func(m *match) { m.r.predict = func(Player, Frame, Frame, button) button { return 77 } },
		"a frame that was read twice": func(m *match) { m.r.read++ },
		"an agreement that was not":   func(m *match) { m.r.agreedTo++ },
	} {
		found := false
		for seed := uint64(1); seed < 60 && !found; seed++ {
			m := newMatch(seeded(seed))
			if m.run(10) != nil {
				t.Fatal("wrong before it was spoiled")
			}
			spoil(m)
			found = m.run(1500) != nil
		}
		if !found {
			t.Errorf("%s: not found", name)
		}
	}
}

// coverage counts what random matches have done.
type coverage [counted]int

const (
	rollbacks = iota
	earlyStops
	skippedFrames
	mispredictions
	duplicates
	conflicts
	orderConflicts
	olds
	earlies
	overlongOrders
	wrongPlayers
	secondSamples
	missingSamples
	stallsForPlayers
	stallsForOwner
	settled
	badAgreements
	agreedFrames
	hashedFrames
	results
	takenBack
	disconnects
	disconnectsInThePast
	cutsRefused
	goneInputs
	connects
	delaysUp
	delaysDown
	restarts
	loads
	events
	toFrameZero
	fullDepth
	predictors
	syncTested
	wrapped
	ends
	seenByAll    // the following only occurs in matches of clients
	suppositions = iota - 1
	lessons
	correctedStates
	rightStates
	refusedStates
	jumps
	counted
)

var counterNames = strings.Fields(`rollbacks early-stops skipped mispredictions duplicates conflicts
	order-conflicts too-old too-early long-orders wrong-players second-samples missing-samples
	stalls-for-players stalls-for-owner settled bad-agreements agreed hashed results taken-back
	disconnects disconnects-in-the-past cuts-refused gone-inputs connects delays-up delays-down
	restarts loads events rollbacks-to-frame-0 full-depth predictors sync-tested wrapped ends
	suppositions lessons corrected-states right-states refused-states jumps`)

func (c *coverage) add(o *coverage) {
	for i, n := range o {
		c[i] += n
	}
}

func (c *coverage) missing() (names []string) {
	for i, n := range c[:seenByAll] {
		if n == 0 {
			names = append(names, counterNames[i])
		}
	}
	return names
}

func (c *coverage) String() string {
	var list []string
	for i, n := range c {
		list = append(list, fmt.Sprintf("%s %d", counterNames[i], n))
	}
	return strings.Join(list, ", ")
}

// chooseConfig draws a configuration, mostly of tight bounds.
func chooseConfig(c chooser) rollback.Config {
	pick := func(of ...int) int { return of[c.IntN(len(of))] }
	cfg := rollback.Config{
		Players: 1 + c.IntN(4), Window: pick(0, 1, 2, 2, 8, 8, 20), History: pick(128, 128, 256),
		HashEvery: pick(1, 1, 3, -1), MaxEffects: pick(0, 2),
	}
	if c.IntN(4) == 0 {
		cfg.Players = 1 + c.IntN(rollback.MaxPlayers)
	}
	cfg.Local = PlayerSet(c.IntN(1 << cfg.Players))
	if c.IntN(3) > 0 {
		cfg.Local = 1
	}
	for p := range cfg.Local.All() {
		cfg.Delay[p] = pick(0, 0, 1, 2, 7)
	}
	cfg.Stream = c.IntN(3) > 0
	if c.IntN(2) == 0 {
		cfg.MaxOrders = 3
	}
	if c.IntN(6) == 0 {
		cfg.SyncTest = pick(1, 3, cfg.Window+1)
	}
	cfg.Snapshots = max(cfg.Window, cfg.SyncTest) + 1 + pick(0, 0, 0, 1, 5, 40)
	return cfg
}

// recent returns a frame near f.
func recent(c chooser, f Frame, around int) Frame {
	return f + Frame(c.IntN(2*around+1)) - Frame(around)
}

// clone copies bytes that the engine may overwrite.
func clone(lists [][]byte) (texts [rollback.MaxPlayers]string) {
	for p, b := range lists {
		texts[p] = string(b)
	}
	return texts
}

// sameStats compares without the count of effects, which the caller knows.
func sameStats(a, b rollback.Stats) bool {
	return slices.Equal(a.Histogram, b.Histogram) &&
		fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b)
}
