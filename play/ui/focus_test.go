package ui_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/ui"
)

// thing is a widget in a list. It has a label, and may have a different name.
type thing struct {
	label string
	name  string // its identity, if its label does not express it
}

// list is a screen of things that come and go. It returns which one was pressed, and which one has the focus.
type list struct {
	ui.UI
	c *draw.Canvas
}

func (l *list) picture(in ui.Input, things ...string) (pressed, focused string) {
	var all []thing
	for _, t := range things {
		all = append(all, thing{label: t})
	}
	return l.show(in, all...)
}

func (l *list) show(in ui.Input, things ...thing) (pressed, focused string) {
	if l.c == nil {
		l.c = draw.NewCanvas(draw.NewAtlas())
	}
	l.c.Begin(1)
	l.Begin(l.c, in, 1.0/60)
	for i, t := range things {
		if t.name != "" {
			l.ID(t.name, 0)
		}
		if l.Button(draw.Box{Y: float32(i) * 50, W: 100, H: 40}, t.label) {
			pressed = t.label
		}
		if l.Focused() {
			focused = t.label
		}
	}
	l.End()
	return pressed, focused
}

// Rule: the focus belongs to a thing. Whatever is added or removed before it, Enter presses that thing, or nothing.
func TestTheFocusBelongsToAThing(t *testing.T) {
	all := []string{"a", "b", "c", "d", "e", "f"}
	for at := range all {
		for subset := range 1 << len(all) {
			var l list
			l.picture(ui.Input{}, all...)
			for range at {
				l.picture(ui.Input{DownKey: true}, all...)
			}
			var now []string
			for i, name := range all {
				if subset>>i&1 != 0 {
					now = append(now, "new before "+name)
				}
				if subset>>((i+3)%len(all))&1 == 0 {
					now = append(now, name)
				}
			}
			want := ""
			if slices.Contains(now, all[at]) {
				want = all[at]
			}
			if pressed, _ := l.picture(ui.Input{Accept: true}, now...); pressed != want {
				t.Fatalf("%q had the focus, and of %q Enter presses %q", all[at], now, pressed)
			}
			pressed, focused := l.picture(ui.Input{Accept: true}, now...)
			if want != "" && (pressed != want || focused != want) {
				t.Fatalf("%q had the focus, and of %q Enter presses %q then; the focus is at %q", all[at], now, pressed, focused)
			}
		}
	}
}

// A thing that was gone has the focus again when it comes back, and meanwhile the arrow keys continue from its place.
func TestTheFocusComesBackWithItsThing(t *testing.T) {
	var l list
	l.picture(ui.Input{}, "length", "start", "leave")
	l.picture(ui.Input{DownKey: true}, "length", "start", "leave")
	for range 3 {
		if pressed, focused := l.picture(ui.Input{Accept: true}, "watcher", "length", "leave"); pressed != "" || focused != "" {
			t.Fatalf("without its thing, Enter presses %q; the focus is at %q", pressed, focused)
		}
	}
	if pressed, _ := l.picture(ui.Input{Accept: true}, "watcher", "length", "start", "leave"); pressed != "start" {
		t.Errorf("when it is back, Enter presses %q", pressed)
	}
	l.picture(ui.Input{}, "watcher", "length", "leave")
	if _, focused := l.picture(ui.Input{Up: true}, "watcher", "length", "leave"); focused != "watcher" && focused != "length" {
		t.Errorf("up from its place leads to %q", focused)
	}
}

// A thing whose label changes keeps the focus: in its place, whatever the labels of all others, and with an ID wherever
// it is.
func TestAThingKeepsTheFocusUnderAnotherName(t *testing.T) {
	var l list
	l.picture(ui.Input{}, "Volume", "Language", "Back")
	l.picture(ui.Input{DownKey: true}, "Volume", "Language", "Back")
	l.picture(ui.Input{}, "Lautstärke", "Sprache", "Zurück")
	if pressed, _ := l.picture(ui.Input{Accept: true}, "Lautstärke", "Sprache", "Zurück"); pressed != "Sprache" {
		t.Errorf("in another language Enter presses %q", pressed)
	}
	l = list{}
	l.picture(ui.Input{DownKey: true}, "Resume", "Leave")
	l.picture(ui.Input{DownKey: true}, "Resume", "Leave")
	l.picture(ui.Input{}, "Watcher", "Resume", "Leave: are you sure?")
	if pressed, _ := l.picture(ui.Input{Accept: true}, "Watcher", "Resume", "Leave: are you sure?"); pressed != "Leave: are you sure?" {
		t.Errorf("in its place under another name, Enter presses %q", pressed)
	}
	l = list{}
	l.show(ui.Input{}, thing{"Pause", "run"}, thing{"1 x", "speed"})
	if pressed, _ := l.show(ui.Input{Accept: true}, thing{"new", ""}, thing{"1/2 x", "speed"}, thing{"Run", "run"}); pressed != "Run" {
		t.Errorf("a thing with an ID is pressed as %q", pressed)
	}
}

// Two things with the same label are different, and another screen begins with its first thing.
func TestTheFocusOfThingsThatAreCalledTheSame(t *testing.T) {
	var l list
	same := []thing{{"Send away", "Ada"}, {"Send away", "Bo"}, {"Back", ""}}
	l.show(ui.Input{}, same...)
	l.show(ui.Input{DownKey: true}, same...)
	pressed, _ := l.show(ui.Input{Accept: true}, thing{"Cy", "Cy"}, same[0], thing{"Bo!", "Bo"}, same[2])
	if pressed != "Bo!" {
		t.Errorf("Enter presses %q", pressed)
	}
	l.show(ui.Input{}) // a match
	if pressed, _ := l.picture(ui.Input{Accept: true}, "Rematch", "To the title"); pressed != "Rematch" {
		t.Errorf("after a picture without widgets Enter presses %q", pressed)
	}
	l.FocusNone()
	if pressed, focused := l.picture(ui.Input{Accept: true}, "Rematch", "To the title"); pressed+focused != "" {
		t.Errorf("nobody has the focus, and Enter presses %q; the focus is at %q", pressed, focused)
	}
}

// A finger presses what it has touched, even if other things are inserted before it meanwhile.
func TestAFingerPressesWhatItHasTouched(t *testing.T) {
	var l list
	at := draw.Point{X: 50, Y: 20}
	l.picture(ui.Input{}, "start", "leave")
	l.picture(ui.Input{Pointer: at, Down: true, Moved: true}, "start", "leave")
	if pressed, _ := l.picture(ui.Input{Pointer: at}, "watcher", "start", "leave"); pressed != "" {
		t.Errorf("what is below the finger now is pressed: %q", pressed)
	}
	l.picture(ui.Input{Pointer: at}, "watcher", "start", "leave")
	l.picture(ui.Input{Pointer: at, Down: true, Moved: true}, "watcher", "start", "leave")
	if pressed, _ := l.picture(ui.Input{Pointer: at}, "watcher", "start"); fmt.Sprint(pressed) != "watcher" {
		t.Errorf("pressed: %q", pressed)
	}
}
