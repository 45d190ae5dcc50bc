//go:build !js

package netplay_test

import (
	"strings"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/netplay"
	"github.com/tickback/tickback/play/words"
)

// Rule: the other players see who slows down the match, for as long as it lasts.
func TestWhoSlowsTheMatchIsNamed(t *testing.T) {
	var slowed tickback.PlayerSet
	cfg := netplay.Config{Game: "duel"}
	cfg.Slow(func() tickback.PlayerSet { return slowed })
	ada, bo, both := pair(t, cfg)
	ada.Auto, bo.Auto = false, false // nobody wins before
	ada.press("Enter")               // the focus is on Start
	until(t, "the fight", both, func() bool { return ada.Status().Frame > 30 && bo.Status().Frame > 30 })

	says := func(text string) func() bool {
		return func() bool { return strings.Contains(ada.Status().Banner, text) }
	}
	slowed = tickback.SetOf(1)
	until(t, "the name of who slows the match", both, says("slow: it waits again and again for Bo"))
	words.Set(words.German)
	until(t, "the same in German", both, says("langsam: es wartet immer wieder auf Bo"))
	words.Set(words.English)
	slowed = tickback.SetOf(0) // the slow player sees it in the figures
	until(t, "the end of it", both, func() bool { return !strings.Contains(ada.Status().Banner, "slow") })
}
