//go:build !js

package netplay_test

import (
	"strings"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/netplay"
	"github.com/tickback/tickback/play/words"
)

// Rule: if a player's game was restarted, and has forgotten the match, the text says that, in both languages, and not
// that the connection is lost; for any other lost player, it names the connection.
func TestAGameThatWasStartedAgainIsSaid(t *testing.T) {
	const bo = tickback.PlayerSet(1 << 1)
	again, lost := tickback.Event{What: tickback.Restarted, Players: bo}, tickback.Event{What: tickback.Lost, Players: bo}
	for _, c := range []struct {
		language words.Language
		events   []tickback.Event
		says     string
		not      string
	}{
		{words.English, []tickback.Event{again, lost}, "The game of Bo was started again.", "connection"},
		{words.German, []tickback.Event{again, lost}, "Das Spiel von Bo wurde neu gestartet.", "Verbindung"},
		{words.English, []tickback.Event{lost}, "The connection to Bo is lost.", "started again"},
		// A player who has come back, and is lost then, was not restarted.
		{words.English, []tickback.Event{again, {What: tickback.Joined, Players: bo}, lost}, "The connection to Bo is lost.", "started again"},
	} {
		var tell []tickback.Event
		cfg := netplay.Config{Game: "duel"}
		cfg.Tell(func() (events []tickback.Event) {
			events, tell = tell, nil
			return events
		})
		ada, other, both := pair(t, cfg)
		ada.Auto, other.Auto = false, false // nobody wins before
		ada.press("Enter")                  // the focus is on Start
		until(t, "the fight", both, func() bool { return ada.Status().Frame > 30 && other.Status().Frame > 30 })
		words.Set(c.language)
		tell = c.events
		until(t, c.says, both, func() bool { return strings.Contains(strings.Join(ada.texts(), " "), c.says) })
		if text := strings.Join(ada.texts(), " "); strings.Contains(text, c.not) {
			t.Errorf("it says %q", text)
		}
		ada.Close()
		other.Close()
	}
}
