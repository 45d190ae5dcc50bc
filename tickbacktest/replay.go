package tickbacktest

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// replays is how often a match is replayed, since some failures are intermittent.
const replays = 16

// Replay plays the match in a line that a failure has printed, with the same check: the same inputs, orders, absences
// and depth, frame by frame. Nothing in it is random, so it is a test to keep once the game is fixed.
//
// A line belongs to one type of inputs, whose size must not have changed.
func Replay[S any, I comparable](t testing.TB, game rollback.Definition[S, I], line string) {
	t.Helper()
	h, err := replayOf(game, line)
	if inOtherBuild() {
		if err == nil && h.id == checkBuilds {
			newBuilds(t, game).answer()
		}
		return
	}
	if err != nil {
		t.Fatalf("tickbacktest.Replay: %v", err)
	}
	if h.id == checkBuilds {
		replayBuilds(t, h)
		return
	}
	h.playAgain(t)
}

// playAgain plays a match several times, and fails the test if one of them fails.
func (h *hunter[S, I]) playAgain(t testing.TB) {
	t.Helper()
	failed := 0
	for range replays {
		if f := h.try(h.match); f != nil {
			h.found = f
			failed++
		}
	}
	switch {
	case h.found == nil && h.probe.compared == 0:
		t.Fatalf("tickbacktest.%s: no frames of the line were compared", h.name)
	case h.found != nil && h.found.broken:
		t.Fatal(h.report(nil))
	case h.found != nil:
		t.Fatal(h.report(&shrinker[S, I]{hunter: h, failed: failed, rated: replays}))
	}
}

// replayOf returns a hunter for the match in a line.
func replayOf[S any, I comparable](game rollback.Definition[S, I], line string) (*hunter[S, I], error) {
	c, err := newCodec[I]()
	if err != nil {
		return nil, err
	}
	h := &hunter[S, I]{codec: c, game: game}
	if h.match, err = c.parse(line); err != nil {
		return nil, err
	}
	if h.match.check == checkBuilds {
		h.check = check[S, I]{id: checkBuilds, name: "Builds"}
		return h, nil
	}
	var known bool
	if h.check, known = checkByID[S, I](h.match.check); !known {
		return nil, fmt.Errorf("the line is of check %d, which this version of tickbacktest does not have", h.match.check)
	}
	return h, h.possible(game)
}

// replayBuilds replays the match in all builds.
func replayBuilds[S any, I comparable](t testing.TB, h *hunter[S, I]) {
	t.Helper()
	b := newBuilds(t, h.game)
	b.codec = h.codec
	err := b.possible()
	var text string
	if err == nil {
		text, err = b.compare([]*match[I]{h.match})
	}
	switch {
	case err != nil:
		t.Skipf("tickbacktest.Replay is left out: %v", err)
	case text != "":
		t.Fatal(text)
	}
}
