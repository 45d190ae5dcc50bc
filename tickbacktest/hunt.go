package tickbacktest

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/rollback"
)

// checkID is the number of a check, as used in a line that replays a match.
type checkID byte

const (
	checkSync checkID = iota + 1
	checkTwins
	checkPurity
	// The checks below are not in the list of checks.
	checkBuilds     // it plays all matches at once
	checkPrediction // it checks a motion, not a game
)

// check is one way to find out that a game is not deterministic.
type check[S any, I comparable] struct {
	id   checkID
	name string
	// needs returns an error that says what the game lacks; a nil function means that nothing is needed.
	needs func(game rollback.Definition[S, I]) error
	// play plays a match, and returns the failure, or nil.
	play func(game rollback.Definition[S, I], m *match[I], p *probe) *failure
	// replay is a format for the call that plays a line again; empty for Replay.
	replay string
	// reduce returns simpler versions of an input, if the check knows better ones than the shrinker.
	reduce func(in I) []I
}

// checks returns all checks, in the order in which they run.
func checks[S any, I comparable]() []check[S, I] {
	return []check[S, I]{
		{id: checkSync, name: "SyncTest", needs: needsSave[S, I], play: syncTest[S, I]},
		{id: checkTwins, name: "Twins", needs: needsNew[S, I], play: twins[S, I]},
		{id: checkPurity, name: "Purity", play: purity[S, I]},
	}
}

// checkByID returns a check by its number.
func checkByID[S any, I comparable](id checkID) (check[S, I], bool) {
	for _, c := range checks[S, I]() {
		if c.id == id {
			return c, true
		}
	}
	return check[S, I]{}, false
}

// possible returns an error that says what the game lacks for the check to run at all.
func (c check[S, I]) possible(game rollback.Definition[S, I]) error {
	if c.needs == nil {
		return nil
	}
	return c.needs(game)
}

// hunter runs one check on many matches.
type hunter[S any, I comparable] struct {
	check[S, I]
	codec[I]
	game     rollback.Definition[S, I]
	probe    probe
	progress progress
	played   int // the number of matches played
	match    *match[I]
	found    *failure
}

func newHunter[S any, I comparable](t testing.TB, c check[S, I], game rollback.Definition[S, I]) *hunter[S, I] {
	return &hunter[S, I]{check: c, game: game, progress: newProgress(t)}
}

// try plays a match, and returns the failure, or nil.
func (h *hunter[S, I]) try(m *match[I]) *failure {
	return h.probe.guard(func() *failure { return h.play(h.game, m, &h.probe) })
}

// Which matches are examined more closely: the first ones all are, because a short test has few, and because one may
// reach states that another one does not; of the others only some are.
const (
	thoroughFirst = 8
	thoroughEvery = 10
)

// first plays a match, if no failure was found before.
func (h *hunter[S, I]) first(m *match[I]) {
	h.firstOf(m, h.played < thoroughFirst || h.played%thoroughEvery == 0)
	h.played++
}

// firstOf plays a match, with a closer examination if thorough.
func (h *hunter[S, I]) firstOf(m *match[I], thorough bool) {
	m.check, m.thorough = h.id, thorough
	h.found = h.try(m)
	m.quiet = 0 // from now on its length is fixed
	if h.found != nil {
		h.match = m
		return
	}
	h.tell(m)
}

// hunt runs a check on the matches of the options, and fails the test if one of them fails.
func hunt[S any, I comparable](t testing.TB, id checkID, game rollback.Definition[S, I], o Options[I]) {
	t.Helper()
	if inOtherBuild() {
		return
	}
	c, _ := checkByID[S, I](id)
	if text := newHunter(t, c, game).run(o); text != "" {
		t.Fatal(text)
	}
}

// run plays the matches of the options, and returns a report if something is wrong, or "".
func (h *hunter[S, I]) run(o Options[I]) string {
	t := h.progress.t
	t.Helper()
	o, err := o.withDefaults()
	var s *source[I]
	if err == nil {
		s, err = newSource(o)
	}
	if err == nil {
		err = h.possible(h.game)
	}
	if err != nil {
		return fmt.Sprintf("tickbacktest.%s: %v", h.name, err)
	}
	h.codec = s.codec
	h.search(t, s)
	if text := h.probe.omissions.String(); text != "" {
		t.Logf("tickbacktest.%s leaves out what the game gives too little for:%s", h.name, text)
	}
	return h.conclude(s)
}

// search plays matches until one fails.
func (h *hunter[S, I]) search(t testing.TB, s *source[I]) {
	t.Helper()
	if s.Inputs != nil {
		h.first(s.given())
		return
	}
	rapid.Check(silent{t}, func(r *rapid.T) {
		if h.found == nil {
			h.first(s.random(r))
		}
	})
	h.playLong(t, s)
}

// conclude returns the report of a failure, or "".
func (h *hunter[S, I]) conclude(s *source[I]) string {
	if h.found == nil {
		if h.found = h.probe.nothing(); h.found == nil {
			return ""
		}
	}
	if h.found.broken {
		return h.report(nil)
	}
	sh := newShrinker(h, s)
	sh.run()
	return h.report(sh)
}

// silent is a test whose failures rapid cannot report: this package reports them, and shrinks them with what the
// checks know about matches. Rapid gives up on intermittent failures, and most of these are intermittent.
type silent struct{ testing.TB }

// Logf does nothing.
func (silent) Logf(string, ...any) {}

// Failed returns false, so that rapid continues: the hunter stores the failures.
func (silent) Failed() bool { return false }
