package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/draw/drawtest"
	"github.com/tickback/tickback/play/lab"
	"github.com/tickback/tickback/play/mirror"
	"github.com/tickback/tickback/play/window"
	"github.com/tickback/tickback/play/words"
)

// size is a kind of screen.
type size struct {
	name    string
	w, h    float32
	density float32
	touch   bool
}

// sizes are the screens on which every layout is checked.
var sizes = []size{
	{"window", 1280, 720, 1, false},
	{"large", 2560, 1440, 1, false},
	{"phone", 844, 390, 1, true},
	{"small phone", 667, 375, 1, true},
	{"smallest phone", 568, 320, 1, true},
	{"tablet", 1024, 768, 1, true},
	{"phone, upright", 390, 844, 1, true},
	{"small phone, upright", 360, 640, 1, true},
}

// Rule: on no screen of the client, in any size and any language, is anything cut off, too small, covered, or out of a
// finger's reach.
func TestNothingIsCutOrCovered(t *testing.T) {
	if testing.Short() {
		t.Skip("it goes to all screens")
	}
	for _, s := range slices.Concat(screens, skirmishScreens) {
		t.Run(s.name, func(t *testing.T) {
			c := s.play(t)
			afterwards(t)
			c.heardWhole()
			for _, l := range words.All() {
				words.Set(l)
				for _, size := range shared(sizes) {
					c.on(size).laidOut(size.name + ", " + l.Tag())
				}
			}
		})
	}
}

// Rule: no text of the lab about a stop of its tour is cut off, even on a phone or a projector.
func TestTheTourIsSaidWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("it goes to all stops")
	}
	for preset := range lab.Tour {
		for _, projector := range []bool{false, true} {
			c := theLab(t, "seed.9-players.2", app.LabOptions{}).press("ArrowDown", "ArrowDown", "ArrowDown")
			for range preset + 1 {
				c.press("ArrowRight")
			}
			if projector {
				c.press("F3")
			}
			c.pictures(200)
			afterwards(t)
			for _, l := range words.All() {
				words.Set(l)
				for _, size := range sizes {
					c.on(size).laidOut(fmt.Sprintf("%s, %s, %s", lab.Tour[preset].Name, size.name, l.Tag()))
				}
			}
		}
	}
}

// shared returns screens at each of the reduced resolutions that a slow device can have.
func shared(sizes []size) (list []size) {
	for _, s := range sizes {
		for _, share := range window.Shares() {
			k := float32(share)
			part := size{s.name, s.w * k, s.h * k, s.density * k, s.touch}
			if share < 1 {
				part.name = fmt.Sprintf("%s, at %v of the resolution", s.name, share)
			}
			list = append(list, part)
		}
	}
	return list
}

// on continues with another screen, without fingers on it.
func (c *client) on(s size) *client {
	c.w, c.h = s.w, s.h
	c.d.Touch, c.d.Density, c.d.Touches, c.d.Down = s.touch, s.density, nil, false
	return c
}

// laidOut checks the positions of everything that is drawn in a picture.
func (c *client) laidOut(size string) {
	c.Helper()
	for _, fault := range c.faults() {
		c.Errorf("%s: %s", size, fault)
	}
}

// faults returns what is wrong with the positions of what is drawn in a picture, and with its texts.
func (c *client) faults() (list []string) {
	c.Helper()
	c.pictures(1)
	c.c.Marks = new(draw.Marks)
	defer func() { c.c.Marks = nil }()
	c.pictures(1)
	for _, m := range c.c.Marks.List {
		if strings.HasSuffix(m.Text, "...") {
			list = append(list, fmt.Sprintf("%q is shortened", m.Text))
		}
	}
	for _, f := range drawtest.Check(c.c.Marks, drawtest.Screen{W: c.w, H: c.h, Density: c.d.Density, Touch: c.d.Touch}) {
		if !excused(f, c.Status().Mode, c.d.Density, c.d.Touch && c.h > c.w) {
			list = append(list, fmt.Sprint(f))
		}
	}
	return list
}

// excused reports whether a fault is none, for one of these reasons:
//   - On a phone that stands the picture is as small as its width. Large words and a button below it turn it, and
//     then it is that of a phone that lies. What is small there is no fault; what is cut or covered is.
//   - The lab has as many controls as a desk, and the screen of keys is about keyboards: their rows are 27 points high.
func excused(f drawtest.Finding, mode string, density float32, upright bool) bool {
	if f.Rule == drawtest.Tight && (mode == "lab" || mode == "keys") {
		return f.A.Box.H >= 26*density || upright
	}
	return upright && (f.Rule == drawtest.Small || f.Rule == drawtest.Tight)
}

// Negative controls: the check finds faults in the real screens.
func TestTheCheckOfLayoutsFinds(t *testing.T) {
	c := start(t, app.Options{Mode: "settings"}).pictures(20)
	c.d.Density = 1
	faults := func() string { return strings.Join(c.faults(), "; ") }
	if got := faults(); got != "" {
		t.Fatalf("at first: %s", got)
	}
	c.w, c.h = 390, 219 // a small window
	if got := faults(); !strings.Contains(got, drawtest.Small) {
		t.Errorf("of a small window: %q", got)
	}
	c.d.Touch = true
	if got := faults(); !strings.Contains(got, drawtest.Tight) {
		t.Errorf("of a small screen for fingers: %q", got)
	}
	// This text is longer than its line.
	c = theLab(t, "", app.LabOptions{Link: func(setup string) string { return strings.Repeat(setup, 20) }}).pictures(20)
	c.d.Density = 1
	if got := faults(); got != "" {
		t.Fatalf("the lab, at first: %s", got)
	}
	c.do("Link", mirror.Act{Do: mirror.Press})
	if got := faults(); !strings.Contains(got, "is shortened") {
		t.Errorf("of a long text: %q, %q", got, c.texts())
	}
}

// Rule: on an upright phone, a button rotates the picture, and another one rotates it back. After that fingers still
// hit what they see.
func TestThePictureIsTurned(t *testing.T) {
	c := start(t, app.Options{Mode: "settings"})
	c.w, c.h, c.d.Touch = 390, 844, true
	c.pictures(20).click(195, 464)
	for _, size := range shared([]size{{"turned", 390, 844, 1, true}, {"turned, sharp", 1170, 2532, 3, true}}) {
		c.on(size).laidOut(size.name)
	}
	c.w, c.h, c.d.Density = 390, 844, 1
	row := draw.Point{X: 1000, Y: 600} // Back, in units
	scale := float32(390) / app.Height
	beside := (844 - app.Width*scale) / 2
	c.click(390-row.Y*scale, beside+row.X*scale).in("title")
	lies := func() bool {
		c.c.Marks = new(draw.Marks)
		c.pictures(1)
		for _, m := range c.c.Marks.List {
			if m.Text == "Settings" {
				return m.Box.W > m.Box.H
			}
		}
		t.Fatal("there is no such button")
		return false
	}
	if lies() {
		t.Error("the picture is not turned")
	}
	c.click(390-37, 844-37)
	if !lies() {
		t.Error("the picture is not turned back")
	}
}
