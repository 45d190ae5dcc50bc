package netplay

import (
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
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

// Names come from others, too.
func TestEverybodyIsCalledSomething(t *testing.T) {
	for _, c := range []struct {
		m    rooms.Member
		want string
	}{
		{rooms.Member{Name: "Ada", Seat: 0}, "Ada"},
		{rooms.Member{Name: " \x00\n ", Seat: 1}, "Player 2"},
		{rooms.Member{ID: 7, Seat: rooms.NoSeat}, "Guest 7"},
		{rooms.Member{Name: "a name that goes on and on", Seat: 1}, "a name that"},
	} {
		if got := called(c.m); got != c.want {
			t.Errorf("%+v is called %q, want %q", c.m, got, c.want)
		}
	}
}

// News go after their time, and the newest are shown.
func TestNoticesGo(t *testing.T) {
	var n notices
	for _, text := range []string{"a", "b", "c", "d", "e", "e"} {
		n.add(text, 2)
	}
	if len(n.list) != maxNotices || n.list[0].text != "b" {
		t.Errorf("%+v", n.list)
	}
	n.advance(1.5)
	n.add("e", 2) // it goes on
	n.advance(1)
	if len(n.list) != 1 || n.list[0].text != "e" {
		t.Errorf("%+v", n.list)
	}
}
