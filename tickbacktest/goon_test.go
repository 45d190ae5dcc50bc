package tickbacktest

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/rollback"
)

// searched runs the search of one check, without shrinking what it finds.
func searched[S any](t *testing.T, id checkID, game rollback.Definition[S, pad], o Options[pad]) *hunter[S, pad] {
	t.Helper()
	o, err := o.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSource(o)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := checkByID[S, pad](id)
	h := &hunter[S, pad]{check: c, codec: s.codec, game: game}
	h.search(t, s)
	return h
}

// late lists games that go wrong only after the frames of a short match. Until then their states are the same in all
// matches and instances.
func late() map[string]struct {
	game rollback.Game[counters, pad]
	from int
} {
	start, steps := time.Now(), int64(0)
	weights := map[int64]int64{1: 3, 2: 5, 3: 7, 4: 11, 5: 13}
	after := func(from uint32, wrong func(s *counters)) rollback.Game[counters, pad] {
		return stepped(func(s *counters, _ *rollback.Tick[pad]) {
			if s.Frame > from {
				wrong(s)
			}
		})
	}
	// A coarse clock does not change for many steps, hence the wait.
	clock := func(s *counters) {
		for last := time.Since(start); time.Since(start) == last; {
		}
		s.Value = int64(time.Since(start))
	}
	return map[string]struct {
		game rollback.Game[counters, pad]
		from int
	}{
		"clock after 4 s":     {after(240, clock), 240},
		"clock after 30 s":    {after(1800, clock), 1800},
		"variable after 50 s": {after(3000, func(s *counters) { steps++; s.Value = steps }), 3000},
		"map order after 20 s": {after(1200, func(s *counters) {
			for k, v := range weights {
				s.Value = s.Value*k + v
			}
		}), 1200},
	}
}

// Negative control: data outside of the state has an effect late in a match. Each check finds it, in the match that
// goes on and not in a shorter one.
func TestFindsWhatMattersLate(t *testing.T) {
	for name, l := range late() {
		for _, c := range checks[counters, pad]() {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				h := searched(t, c.id, l.game, Options[pad]{})
				if h.found == nil {
					t.Fatal("not found")
				}
				// The orders of a map may be the same for some frames by chance.
				if f := h.found.frame; f < l.from || f > l.from+20 {
					t.Errorf("found in frame %d, which goes wrong from frame %d on", f, l.from)
				}
				short := searched(t, c.id, l.game, Options[pad]{Longest: DefaultFrames})
				if short.found != nil {
					t.Errorf("matches of %d frames find it as well: %s", DefaultFrames, short.found.what)
				}
			})
		}
	}
}

// A late failure is reported like any other, and its line replays it.
func TestReportsWhatMattersLate(t *testing.T) {
	game := late()["clock after 4 s"].game
	reports(t, func(t testing.TB) { Purity(t, game, Options[pad]{}) },
		"frame 240 came out differently", "Value", "asks the clock", "Replay(t, game,")
	h := searched(t, checkPurity, game, Options[pad]{})
	reports(t, func(t testing.TB) { Replay(t, game, h.line(h.match)) }, "frame 240 came out differently")
}

// Options.Longest limits the search, which reaches further when it is raised.
func TestLongestIsHowFarTheSearchReaches(t *testing.T) {
	game := late()["variable after 50 s"].game
	for longest, found := range map[int]bool{3000: false, 3001: true} {
		if h := searched(t, checkTwins, game, Options[pad]{Longest: longest}); (h.found != nil) != found {
			t.Errorf("with Longest %d: found %v, want %v", longest, h.found != nil, found)
		}
	}
}

// Negative control: a variable that has an effect only after a button is held for two seconds, which does not happen in
// a short match. One search misses it with a probability of 0.009 with -short (17 of 2,000), so the probability that
// eight of 20 searches miss it is 10^-11.
func TestFindsWhatALongHoldBringsAbout(t *testing.T) {
	type charging struct{ Frame, Charge, Shots uint32 }
	var shots uint32
	game := rollback.Game[charging, pad]{Step: func(s *charging, t *rollback.Tick[pad]) {
		s.Frame++
		if s.Charge++; t.Input(0).Buttons != buttonX {
			s.Charge = 0
		}
		if s.Charge >= 120 {
			shots++
			s.Shots = shots
		}
	}}
	o := Options[pad]{Generate: rapid.SampledFrom([]pad{{}, {Buttons: buttonX}, {Buttons: buttonY}})}
	const searches, enough = 20, 13
	found := 0
	for range searches {
		if searched(t, checkTwins, game, o).found != nil {
			found++
		}
	}
	if found < enough {
		t.Errorf("found in %d of %d searches, want %d at least", found, searches, enough)
	}
}

// A dependence on the clock in one frame is found in a state that never changes again.
func TestFindsALateClockInAStateThatSettles(t *testing.T) {
	type light struct{ On bool }
	var steps uint32
	game := rollback.Game[light, pad]{Step: func(s *light, t *rollback.Tick[pad]) {
		s.On = true
		if t.Frame() >= 2*DefaultFrames-20 {
			steps++
			s.On = steps%2 == 0
		}
	}}
	if h := searched(t, checkTwins, game, Options[pad]{}); h.found == nil {
		t.Error("not found")
	}
}

// A match goes on while its states are new, and no longer. One that counts its frames continues to the limit; the
// second match of a game that ignores inputs reaches no new states.
func TestAMatchEndsWhenNothingIsNew(t *testing.T) {
	type tally struct{ N uint32 }
	const quiet = quietLengths * DefaultFrames
	for most, want := range map[uint32]uint64{
		10:    (10 - 1) + quiet + 1,
		500:   (500 - 1) + quiet + 1,
		1e9:   DefaultLongest,
		3_500: DefaultLongest,
	} {
		game := rollback.Game[tally, pad]{Step: func(s *tally, _ *rollback.Tick[pad]) { s.N = min(s.N+1, most) }}
		again := uint64(quiet + 1)
		if testing.Short() {
			again = 0
		}
		for _, id := range []checkID{checkTwins, checkPurity} {
			short := searched(t, id, game, Options[pad]{Longest: DefaultFrames})
			long := searched(t, id, game, Options[pad]{})
			if got := long.probe.compared - short.probe.compared; got != want+again {
				t.Errorf("check %d, %d states: compared %d frames more than without, want %d", id, most, got, want+again)
			}
		}
	}
}

// The sync test ends its matches by the same rule, as its number of steps shows.
func TestASyncTestEndsWhenNothingIsNew(t *testing.T) {
	type tally struct{ N uint32 }
	steps := func(most uint32, longest int) (n int) {
		game := rollback.Game[tally, pad]{Step: func(s *tally, _ *rollback.Tick[pad]) { s.N = min(s.N+1, most); n++ }}
		if h := searched(t, checkSync, game, Options[pad]{Depth: 1, Longest: longest}); h.found != nil {
			t.Fatal(h.found.what)
		}
		return n
	}
	base := steps(10, DefaultFrames)
	early, full := steps(10, 0)-base, steps(1e9, 0)-base
	if most := longMatches * 2 * (quietLengths*DefaultFrames + 10); early > most {
		t.Errorf("%d steps more for 10 states, want at most %d", early, most)
	}
	if full < 2*DefaultLongest-1 {
		t.Errorf("%d steps more where every state is new, want %d at least", full, 2*DefaultLongest-1)
	}
}
