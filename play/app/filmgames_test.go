package app_test

import (
	"testing"

	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/recordings"
)

// filmed plays a recording in the theatre: to its end, to its middle, back to its beginning and again to its middle,
// where the state is the same. It verifies the recording, and compares the last state with that of the match.
func filmed(t *testing.T, r recordings.Recording, end string) *client {
	t.Helper()
	c := watch(t, r.Game+".tbr", r.Bytes).in("player")
	c.press("End").pictures(200)
	if s := c.Status(); s.Frame != r.Frames || s.Checksum != end {
		t.Errorf("it ends at frame %d with %s, want %d and %s", s.Frame, s.Checksum, r.Frames, end)
	}
	middle := func() string {
		c.click(28+1224/2, 603).pictures(200)
		return c.Status().Checksum
	}
	first := middle()
	c.press("Home").pictures(60)
	if s := c.Status(); s.Frame != 0 {
		t.Errorf("the beginning is at frame %d", s.Frame)
	}
	if again := middle(); again != first || again == end {
		t.Errorf("the middle is %s, and %s later", first, again)
	}
	c.press("ArrowLeft").pictures(60)
	at := c.Status().Frame
	if c.press("ArrowRight").pictures(60); int(c.Status().Frame-at) != r.Rate {
		t.Errorf("a jump of a second has %d frames", c.Status().Frame-at)
	}
	if got := c.verdict(); got != "ok" {
		t.Errorf("verified: %s", got)
	}
	return c
}

// A skirmish is recorded, with its winner, and the theatre plays it.
func TestTheTheatrePlaysASkirmish(t *testing.T) {
	c := skirmishMatch(t).pictures(240).press("Escape", "ArrowDown", "ArrowDown", "Enter").until(1)
	r := c.Recordings()[0]
	if p, ok := skirmish.WinnerOf(r.Result); r.Game != skirmish.ID || !r.Finished || !ok || p != 1 || r.Names[0] != "YOU" || r.Rate != skirmish.TicksPerSecond {
		t.Errorf("%s of %q, result %d, %d frames a second", r.Game, r.Names, r.Result, r.Rate)
	}
	end := c.Status().Checksum
	filmed(t, r, end)
	c.pictures(30).press("ArrowRight", "Enter").in("title")
}

// tanksMatch begins a match of tanks against bots.
func tanksMatch(t *testing.T, players int) *client {
	t.Helper()
	c := start(t, app.Options{})
	c.Add(app.Mode{ID: "tanks", Open: func(a *app.App) app.Scene {
		return app.NewTanks(a, app.TanksSetup{People: 1, Players: players, Mood: tanks.Busy})
	}}, true)
	return c.pictures(10).press("KeyS") // they wait for that
}

// A match of tanks is recorded, and the theatre plays it.
func TestTheTheatrePlaysTanks(t *testing.T) {
	c := tanksMatch(t, 12).pictures(60*8).press("Escape", "ArrowUp", "Enter").in("title").until(1)
	r := c.Recordings()[0]
	if r.Game != tanks.ID || r.Finished || r.Frames < 140 || r.Players != 12 || r.Names[0] != "YOU" || r.Names[11] == "" || r.Mode != "versus-bot" {
		t.Errorf("%s, %d frames, %d players %q, %q", r.Game, r.Frames, r.Players, r.Names, r.Mode)
	}
	end := watch(t, "tanks.tbr", r.Bytes).press("End").pictures(200).Status().Checksum
	filmed(t, r, end)
}
