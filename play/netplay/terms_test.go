package netplay

import (
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/contest"
)

// A host's settings are read back as they were.
func TestTermsAreReadAsTheyWereWritten(t *testing.T) {
	for _, want := range []terms{
		{},
		{Seconds: 30, Round: 2, Wins: [2]int{1, 1}, Who: [2]uint32{4, 9}},
		{Frames: 1200},
	} {
		if got := parse(kindOf(duelID), want.text()); got != want {
			t.Errorf("%+v became %+v", want, got)
		}
	}
	bots := terms{Seconds: 120, Bots: 3}
	if got := parse(kindOf(arenaID), bots.text()); got != bots {
		t.Errorf("%+v became %+v", bots, got)
	}
	large := terms{Seconds: 1200, Bots: 1, Map: 4, Army: 6, Predict: true}
	if got := parse(kindOf(skirmishID), large.text()); got != large {
		t.Errorf("%+v became %+v", large, got)
	}
}

// Settings come from other machines: invalid ones get their defaults, and nothing fails.
func TestForeignTermsAreTheUsual(t *testing.T) {
	for _, text := range []string{
		"", "nonsense", "[]", "null", `{"seconds":7}`, `{"seconds":-1}`, `{"bots":4}`, `{"bots":-1}`, `{"frames":-5}`, `{"frames":99999999}`,
		`{"round":1,"wins":[2,0]}`, `{"round":9,"wins":[1,1]}`, `{"round":1,"wins":[-1,0]}`, `{"round":0,"wins":[1,0]}`, `{"wins":[1,1,1]}`,
		`{"seconds":1e99}`, `{"round":"x"}`, `{"map":5}`, `{"map":-1}`, `{"army":7}`, `{"map":1,"army":-1}`,
	} {
		for _, k := range kinds {
			if got := parse(k, text); got != (terms{}) && (text != `{"bots":4}` || k.id != arenaID) {
				t.Errorf("%s: %s is %+v", k.id, text, got)
			}
		}
	}
	if got := parse(kindOf(duelID), `{"map":1,"army":1,"predict":true,"bots":1}`); got != (terms{}) {
		t.Errorf("a duel has %+v", got)
	}
}

func FuzzTerms(f *testing.F) {
	f.Add(`{"seconds":30,"bots":2,"frames":100,"round":1,"wins":[1,0],"who":[1,2]}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, k := range kinds {
			got := parse(k, text)
			if got.length(k) < 0 || got.Bots > max(len(k.standIns)-1, 0) || got.Map >= len(mapSizes) || got.Army >= len(armySizes) {
				t.Fatalf("%s: %+v", k.id, got)
			}
			for _, r := range k.rows() {
				if n := r.get(&got); n < 0 || n >= len(r.of) {
					t.Fatalf("%s: %s is %d of %d", k.id, r.label, n, len(r.of))
				}
			}
			s := got.score()
			if _, over := s.Over(); over {
				t.Fatalf("%+v is over before the round", got)
			}
			if again := parse(k, got.text()); again != got {
				t.Fatalf("%+v became %+v", got, again)
			}
		}
	})
}

func TestLengths(t *testing.T) {
	for _, c := range []struct {
		game string
		terms
		frames tickback.Frame
	}{
		{duelID, terms{}, contest.RoundFrames},
		{duelID, terms{Seconds: 30}, contest.CountdownFrames + 1800},
		{arenaID, terms{}, 0},
		{arenaID, terms{Seconds: 60}, 3600},
		{arenaID, terms{Seconds: 60, Frames: 77}, 77},
		{skirmishID, terms{}, 0},
		{skirmishID, terms{Seconds: 600}, 18000},
	} {
		if got := c.frames; c.terms.frames(kindOf(c.game)) != got {
			t.Errorf("%s %+v: %d frames, want %d", c.game, c.terms, c.terms.frames(kindOf(c.game)), got)
		}
	}
	for _, k := range kinds {
		if len(k.lengths) != len(k.lengthNames) {
			t.Errorf("%s: not every length has a name", k.id)
		}
	}
	if len(standIns) != len(kindOf(arenaID).standIns) {
		t.Error("not every bot of the arena has a name")
	}
}
