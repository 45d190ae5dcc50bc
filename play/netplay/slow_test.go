//go:build !js

package netplay_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/play/netplay"
	"github.com/tickback/tickback/play/words"
)

// Rule: the others see who slows the match, for as long as it lasts.
func TestWhoSlowsTheMatchIsNamed(t *testing.T) {
	ada, bo, both := pair(t, netplay.Config{Game: "duel"})
	ada.Auto, bo.Auto = false, false // nobody wins before
	ada.press("Enter")               // the focus is on Start
	until(t, "the fight", both, func() bool { return ada.Status().Frame > 30 && bo.Status().Frame > 30 })

	// The window is 133 ms: each time most of this is lost.
	const slow = 250 * time.Millisecond
	last := time.Now()
	says := func(text string) func() bool {
		return func() bool {
			if time.Since(last) > slow {
				bo.picture()
				last = time.Now()
			}
			return strings.Contains(ada.Status().Banner, text)
		}
	}
	until(t, "the name of who slows the match", both[:1], says("slow: it waits again and again for Bo"))
	words.Set(words.German)
	until(t, "the same in German", both[:1], says("langsam: es wartet immer wieder auf Bo"))
	words.Set(words.English)
	until(t, "the end of it", both, func() bool { return ada.Status().Banner == "" })
	during(both, 2*time.Second)
	for _, c := range both {
		if b := c.Status().Banner; strings.Contains(b, "slow") {
			t.Errorf("%s: it says %q still", c.name, b)
		}
	}
}
