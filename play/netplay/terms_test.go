package netplay

import (
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/contest"
)

// What a host says comes back as it was.
func TestTermsAreReadAsTheyWereWritten(t *testing.T) {
	for _, want := range []terms{
		{},
		{Seconds: 30, Round: 2, Wins: [2]int{1, 1}, Who: [2]uint32{4, 9}},
		{Frames: 1200},
	} {
		if got := parse(duelID, want.text()); got != want {
			t.Errorf("%+v became %+v", want, got)
		}
	}
	bots := terms{Seconds: 120, Bots: 3}
	if got := parse(arenaID, bots.text()); got != bots {
		t.Errorf("%+v became %+v", bots, got)
	}
}

// Settings come from others: what makes no sense is the usual, and nothing fails.
func TestForeignTermsAreTheUsual(t *testing.T) {
	for _, text := range []string{
		"", "nonsense", "[]", "null", `{"seconds":7}`, `{"seconds":-1}`, `{"bots":4}`, `{"bots":-1}`, `{"frames":-5}`, `{"frames":99999999}`,
		`{"round":1,"wins":[2,0]}`, `{"round":9,"wins":[1,1]}`, `{"round":1,"wins":[-1,0]}`, `{"round":0,"wins":[1,0]}`, `{"wins":[1,1,1]}`,
		`{"seconds":1e99}`, `{"round":"x"}`,
	} {
		if got := parse(duelID, text); got != (terms{}) {
			t.Errorf("%s is %+v", text, got)
		}
	}
}

func FuzzTerms(f *testing.F) {
	f.Add(`{"seconds":30,"bots":2,"frames":100,"round":1,"wins":[1,0],"who":[1,2]}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, game := range []string{duelID, arenaID} {
			got := parse(game, text)
			if got.length(game) < 0 || got.Bots >= len(standIns) {
				t.Fatalf("%s: %+v", game, got)
			}
			s := got.score()
			if _, over := s.Over(); over {
				t.Fatalf("%+v is over before the round", got)
			}
			if again := parse(game, got.text()); again != got {
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
	} {
		if got := c.frames; c.terms.frames(c.game) != got {
			t.Errorf("%s %+v: %d frames, want %d", c.game, c.terms, c.terms.frames(c.game), got)
		}
	}
	if len(lengths[duelID]) != len(lengthNames[duelID]) || len(lengths[arenaID]) != len(lengthNames[arenaID]) || len(standIns) != len(skills) {
		t.Error("not every choice has a name")
	}
}
