//go:build !js

package main_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
)

// wording has the texts of the walk below in one language.
type wording struct {
	language, title                  string
	versus, menu, begin, back        string
	resume, settings, volume, motion string
	paused, leave                    string
}

var wordings = []wording{
	{"en", "Tickback: rollback you can feel", "Versus bot", "Menu", "ROUND 1", "Back", "Resume", "Settings", "Volume", "Reduced motion", "Paused", "To the title"},
	{"de", "Tickback: Rollback zum Anfassen", "Gegen den Bot", "Menü", "RUNDE 1", "Zurück", "Weiter", "Einstellungen", "Lautstärke", "Weniger Bewegung", "Pause", "Zum Titel"},
}

// A person who cannot see the picture goes from the title to a match against a bot, pauses it, changes the settings, and
// goes back, using only what assistive technology gets from the page, in both languages.
func TestThePageIsOperatedWithoutThePicture(t *testing.T) {
	site := open(t, rooms.Config{})
	for _, w := range wordings {
		t.Run(w.language, func(t *testing.T) {
			p := site.visit(t, "heard", "?silent=1&seed=5&language="+w.language)
			p.Hear("RootWebArea", w.title)
			p.Hear("heading", "TICKBACK")
			first := p.HearThat("a button with the focus", func(h browsertest.Heard) bool { return h.Role == "button" && h.Focused })
			if first.Name != w.versus {
				t.Errorf("the focus begins at %v", first)
			}
			p.Press(first)
			p.HearText(w.begin) // announced
			p.HearText(" 100")  // health
			until(t, p, "the match runs", func(s app.Status) bool { return s.Mode == "duel" && s.Frame > 0 })

			p.Press(p.Hear("button", w.menu))
			p.Hear("heading", w.paused)
			resume := p.HearThat("the way back with the focus", func(h browsertest.Heard) bool { return h.Focused && h.Name == w.resume })
			at := browsertest.Now[app.Status](p).Frame
			p.Press(resume)
			until(t, p, "the match goes on", func(s app.Status) bool { return s.Frame > at+5 })

			p.Press(p.Hear("button", w.menu))
			p.Press(p.Hear("button", w.settings))
			volume := p.Hear("slider", w.volume)
			before := volume.Value
			p.Focus(volume)
			p.HearThat("the slider with the focus", func(h browsertest.Heard) bool { return h.Focused && h.Name == w.volume })
			tap(t, p, "ArrowLeft") // the keys of the game continue at the focused widget
			p.HearThat("a lower volume", func(h browsertest.Heard) bool { return h.Name == w.volume && h.Value != before })
			p.Press(p.Hear("switch", w.motion))
			p.HearThat("the switch with the focus", func(h browsertest.Heard) bool { return h.Focused && h.Name == w.motion })
			p.Key("ArrowDown", true) // if a key is held for long, as a slow machine sees it, the focus moves from one widget to the next
			p.HearThat("another one with the focus", func(h browsertest.Heard) bool { return h.Focused && (h.Role == "combobox" || h.Role == "slider") })
			p.Key("ArrowDown", false)
			p.Shot("settings " + w.language)
			p.Press(p.Hear("button", w.back))
			p.Press(p.Hear("button", w.leave))
			until(t, p, "the title is there", func(s app.Status) bool { return s.Mode == "title" })
			p.HearThat("the first button with the focus", func(h browsertest.Heard) bool { return h.Focused && h.Name == w.versus })
			p.Shot("title " + w.language)
		})
	}
}

// tap holds a key for some pictures.
func tap(t *testing.T, p *browsertest.Page, code string) {
	t.Helper()
	p.Key(code, true)
	at := browsertest.Now[app.Status](p).Pictures
	until(t, p, "the key is seen", func(s app.Status) bool { return s.Pictures > at+7 })
	p.Key(code, false)
}

// Text that is typed into a mirrored field appears in the game; events in a room are announced.
func TestARoomIsHeard(t *testing.T) {
	site := open(t, rooms.Config{})
	p := site.visit(t, "heard", "?silent=1&seed=5&mode=online&language=en&name=Ada")
	field := p.Hear("textbox", "Your name")
	if field.Value != "Ada" {
		t.Errorf("the name is %v", field)
	}
	p.Focus(field)
	p.Type(kb.End + "lu" + kb.Backspace + kb.Backspace + "line")
	p.HearThat("the new name", func(h browsertest.Heard) bool { return h.Role == "textbox" && h.Value == "Adaline" })
	p.Press(p.Hear("button", "Create a room"))
	room := until(t, p, "there is a room", func(s app.Status) bool { return s.Room != "" })
	if m := room.Members; len(m) != 1 || m[0].Name != "Adaline" {
		t.Errorf("the members are %+v", m)
	}
	guest(t, "Bo", room.Room, "&language=en")
	p.HearText("Bo")
	p.HearText("Both are ready")
	p.Press(p.Hear("button", "Start"))
	until(t, p, "the match runs", func(s app.Status) bool { return s.Mode == "match" && s.Frame > 30 })
	p.HearText("Rounds") // a bot plays for Bo, and nobody for Ada
	p.Shot("a match")
}

// As long as nothing changes, nothing is written to the page.
func TestNothingIsWrittenWhileNothingChanges(t *testing.T) {
	p := open(t, rooms.Config{}).visit(t, "heard", "?silent=1&mode=settings")
	p.Hear("slider", "Volume")
	at := browsertest.Now[app.Status](p).Pictures
	until(t, p, "it is calm", func(s app.Status) bool { return s.Pictures > at+60 })
	p.Eval(`window.writes = 0, new MutationObserver((list) => (writes += list.length)).observe(document.querySelector("main"),
		{subtree: true, childList: true, attributes: true, characterData: true}), null`, nil)
	at = browsertest.Now[app.Status](p).Pictures
	until(t, p, "pictures come", func(s app.Status) bool { return s.Pictures > at+120 })
	var writes int
	if p.Eval(`writes`, &writes); writes != 0 {
		t.Errorf("%d changes of the page while nothing changes", writes)
	}
	tap(t, p, "ArrowRight") // the volume
	p.Eval(`new Promise((done) => setInterval(() => writes > 0 && done(true), 50))`, nil)
}
