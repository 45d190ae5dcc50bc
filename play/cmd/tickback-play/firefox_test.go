//go:build !js

package main_test

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/online/browsertest/firefox"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
)

// Firefox and Chromium play 300 frames of a duel with each other, and reach the same end. The recording in Firefox is
// verified by the command line, and by the theatre in Firefox.
func TestADuelOfTwoBrowsers(t *testing.T) {
	const frames = 300
	site := open(t, rooms.Config{})
	ada, link := site.host(t, "Ada", "game=duel&frames=300&start=2")
	browser := firefox.Start(t)
	bo := browser.Open(t, invited(link, "Bo", ""), width, height, remember, calm)
	bo.Name = "Bo"
	reaches(t, bo, 120)
	bo.Shot("Firefox plays Chromium")
	end := agree(t, frames, ada, bo)
	file := tape(t, bo)
	verifies(t, file, end.Outcome)

	cy := browser.Open(t, site.url+"?mode=theatre&silent=1", width, height, calm)
	cy.Name = "Cy"
	until(t, cy, "the theatre is open", func(s app.Status) bool { return s.Mode == "theatre" && s.Pictures > 5 })
	drop(cy, "match.tbr", file)
	until(t, cy, "the theatre plays it", func(s app.Status) bool { return s.Mode == "player" && s.Playing && s.Frame > 0 })
	cy.Press("v", 1000)
	if s := until(t, cy, "it is verified", func(s app.Status) bool {
		return s.Verified != "" && !strings.HasPrefix(s.Verified, "running")
	}); s.Verified != "ok" {
		t.Errorf("it says %q", s.Verified)
	}
	cy.Shot("verified in Firefox")
}

// The first button of the title can be pressed in Firefox with the mouse, and with the keyboard.
func TestFirefoxTakesMouseAndKeys(t *testing.T) {
	site := open(t, rooms.Config{})
	browser := firefox.Start(t)
	for name, act := range map[string]func(p *firefox.Page){
		"mouse": func(p *firefox.Page) { p.Click(97, 92, 500) },
		"key":   func(p *firefox.Page) { p.Press("\uE007", 500) },
	} {
		p := browser.Open(t, site.url+"?silent=1&seed=5", width, height, calm)
		p.Name = name
		until(t, p, "the title is there", func(s app.Status) bool { return s.Mode == "title" && s.Pictures > 5 })
		p.Shot("title " + name)
		act(p)
		until(t, p, "it is chosen", func(s app.Status) bool { return s.Mode != "title" })
		p.Shot("chosen " + name)
	}
}
