//go:build !js

package main_test

import (
	"os"
	"testing"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
)

// violation is a finding of axe-core: a rule, its severity, and the place.
type violation struct{ ID, Impact, Help, Where string }

// audit is an expression that makes axe-core check the page with all of its rules. It cannot determine the contrast of
// texts over a picture.
const audit = `(async () => (await axe.run(document)).violations.flatMap(v => v.nodes.map(n => (
  {ID: v.id, Impact: n.impact ?? v.impact, Help: v.help, Where: n.html + " " + (n.failureSummary ?? "")}))))()`

// axe-core (https://github.com/dequelabs/axe-core) finds nothing in the page, nor in the mirror of its picture: during
// loading, after a failure to load, at the title, in a match and in a room, in both languages. scripts/audit.sh
// installs axe-core and runs this.
func TestAxeFindsNothing(t *testing.T) {
	path := os.Getenv("TICKBACK_AXE")
	if path == "" {
		t.Skip("scripts/audit.sh runs it, with axe-core")
	}
	script, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	site := open(t, rooms.Config{})
	for _, c := range []struct {
		name, query, before string
		is                  func(s app.Status) bool
	}{
		{"loading", "", `window.fetch = () => new Promise(() => {})`, nil},
		{"not loaded", "", `HTMLCanvasElement.prototype.getContext = () => null`, nil},
		{"the title", "?silent=1", "", func(s app.Status) bool { return s.Mode == "title" && s.Pictures > 5 }},
		{"a match", "?silent=1&mode=versus-bot", "", func(s app.Status) bool { return s.Frame > 5 }},
		{"a room", "?silent=1&mode=online&auto=1&game=duel&name=Ada", "", func(s app.Status) bool { return s.Room != "" }},
	} {
		for _, language := range []string{"en", "de"} {
			name := c.name + ", " + language
			p := visit(t, name, site.url+c.query, 640, 360, c.before, `localStorage.setItem("tickback.play", '{"language":"`+language+`"}')`)
			switch {
			case c.is != nil:
				until(t, p, "it is there", c.is)
				p.HearThat("a button", func(h browsertest.Heard) bool { return h.Role == "button" }) // the mirror of the picture is checked, too
			case c.name == "not loaded":
				tells(p)
			}
			p.Eval(string(script)+"; null", nil)
			if found := look(t, p); len(found) > 0 {
				t.Errorf("%s: %+v", name, found)
			}
			p.Shot(name)
			if c.name == "the title" && language == "en" { // it would find something
				p.Eval(`document.querySelector("canvas").removeAttribute("aria-label"), document.documentElement.removeAttribute("lang"), null`, nil)
				if found := look(t, p); len(found) == 0 {
					t.Error("a page without a language is all right, too")
				}
			}
		}
	}
}

// look makes axe-core check a page into which it was loaded.
func look(t *testing.T, p *browsertest.Page) (found []violation) {
	t.Helper()
	p.Eval(audit, &found)
	return found
}
