package replay_test

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/rollback"
)

// drift is a game with floats.
type drift struct{ X float64 }

func driftGame(by float64, floats bool) replay.Game {
	game := rollback.Game[drift, keys]{AllowFloats: floats, Step: func(s *drift, _ *rollback.Tick[keys]) { s.X += by }}
	return must(replay.Of[drift]("world", "test", game, nil))
}

// Rule: if the result of a recording differs, and it was made with other floats than this program's, the report says so, and
// names the command that builds a program with these floats: a differing frame means nothing then.
func TestOtherFloatsAreNamed(t *testing.T) {
	const proof = "go1.26.8/3/0f1e2d3c4b5a6978"
	here := driftGame(0.1, true).Platform()
	if !strings.Contains(here, "go") {
		t.Fatalf("the platform is %q", here)
	}
	for _, c := range []struct {
		recorded string
		by       float64
		says     []string // nothing: no word of floats
	}{
		{proof, 0.2, []string{proof, here, "go1.26.8 and", ` build --strict"`}},
		{"mips go1.2", 0.2, []string{"mips go1.2", here, `"go build"`, "AllowFloats"}},
		{proof, 0.1, nil}, // it comes to the same all the same
		{here, 0.2, nil},
		{"", 0.2, nil},
	} {
		m := worldMatch(50)
		m.game = driftGame(0.1, true)
		m.header.Platform = c.recorded
		v := verify(t, record(t, m), driftGame(c.by, true), replay.VerifyOptions{})
		switch {
		case v.OK() != (c.by == 0.1):
			t.Errorf("%+v: %+v", c, v)
		case v.OK():
		case (v.Mismatch.Floats != nil) != (c.says != nil):
			t.Errorf("recorded on %q: %v", c.recorded, v.Mismatch.Floats)
		}
		for _, text := range c.says {
			if said := v.Mismatch.Floats.Error(); !strings.Contains(said, text) {
				t.Errorf("%q is not in: %s", text, said)
			}
		}
	}
	strictly := replay.FloatsError{Recorded: "amd64/v1 go1.26.8", Here: proof}
	if said := strictly.Error(); !strings.Contains(said, "this program has the floats of a strict build (proof "+proof+")") {
		t.Error(said)
	}
}
