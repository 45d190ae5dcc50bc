//go:build !js

package hall_test

import (
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/draw/drawtest"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/hall"
	"github.com/tickback/tickback/play/window"
	"github.com/tickback/tickback/play/words"
)

// patience bounds every wait of these tests: a slow machine takes long for what is quick elsewhere.
const patience = 5 * time.Minute

// TestMain runs more tests at the same time than there are cores, since they wait for the clock most of the time.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	m.Run()
}

// inRealTime is called by tests that play for seconds; they run in parallel with others.
func inRealTime(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it plays in real time")
	}
	t.Parallel()
}

// alone is called by tests that use each language: the language belongs to the whole process, so no other test may run
// at the same time.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it plays in real time, and paints in memory")
	}
	t.Cleanup(func() { words.Set(words.English) })
}

// client is an app without a window, in the mode of the tanks, with methods for tests.
type client struct {
	*testing.T
	*app.App
	name   string
	c      *draw.Canvas
	d      controls.Devices
	w, h   float32
	last   time.Time
	hung   time.Duration // the maximum time between two pictures, or updates of a hidden page
	hidden bool

	link, ticket, copied string // the texts that it was given to store and to copy
}

// start starts a client. If auto is true, a bot plays for it.
func start(t *testing.T, name string, auto bool, cfg hall.Config) *client {
	t.Helper()
	seed := uint32(7)
	for _, r := range name {
		seed = seed*31 + uint32(r)
	}
	c := &client{
		T: t, name: name, c: draw.NewCanvas(draw.NewAtlas()), w: app.Width, h: app.Height,
		App: app.New(app.Options{Auto: auto, Seed: seed | 1}),
	}
	cfg.Name, cfg.Loopback = name, true
	cfg.Machine = foyer.Machine{
		Copy: func(text string, done func(bool)) { c.copied = text; done(true) },
		Keep: func(link, ticket string) { c.link, c.ticket = link, ticket },
		Kept: func() string { return c.ticket },
	}
	c.Add(hall.Mode(cfg), true)
	t.Cleanup(c.Close)
	return c
}

// serveRooms runs a server of rooms.
func serveRooms(t *testing.T) (page string) {
	t.Helper()
	page, _ = roomstest.Serve(t, rooms.Config{})
	return page
}

// hosts starts a client that hosts, and waits until it plays.
func hosts(t *testing.T, page string, auto bool, cfg hall.Config) *client {
	t.Helper()
	cfg.Page, cfg.Host = page, true
	c := start(t, "Ada", auto, cfg)
	until(t, "a match", []*client{c}, func() bool { return c.Status().Seat >= 0 && c.Status().Frame > 10 })
	return c
}

// guest starts a client that follows a link.
func guest(t *testing.T, name, link string, auto bool, cfg hall.Config) *client {
	t.Helper()
	cfg.Link = link
	return start(t, name, auto, cfg)
}

// picture makes one picture, or lets time pass in a hidden page.
func (c *client) picture() {
	now := time.Now()
	dt := float32(1.0 / 60)
	if !c.last.IsZero() {
		c.hung = max(c.hung, now.Sub(c.last))
		dt = float32(now.Sub(c.last).Seconds())
	}
	c.last = now
	if c.hidden {
		c.Tick()
		return
	}
	c.Picture(c.c, &c.d, c.w, c.h, dt)
}

// until runs all clients until a condition holds.
func until(t *testing.T, what string, all []*client, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !so(); {
		if time.Now().After(deadline) {
			for _, c := range all {
				t.Logf("%s: %+v", c.name, c.Status())
			}
			t.Fatalf("waited %v for %s", patience, what)
		}
		for _, c := range all {
			c.picture()
		}
		time.Sleep(8 * time.Millisecond)
	}
}

// during runs all clients for the given time.
func during(all []*client, d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		for _, c := range all {
			c.picture()
		}
		time.Sleep(8 * time.Millisecond)
	}
}

// press presses and releases keys, one after the other.
func (c *client) press(keys ...controls.Key) {
	for _, k := range keys {
		c.d.Keys = []controls.Key{k}
		c.picture()
		c.d.Keys = nil
		c.picture()
		c.picture()
	}
}

// leaves makes a client leave by the menu, while all clients run. If a match ends meanwhile, which closes the menu, it
// is opened again.
func (c *client) leaves(t *testing.T, all []*client) {
	t.Helper()
	until(t, c.name+" to leave", all, func() bool {
		if c.Status().Mode != "title" {
			c.press("Escape", "ArrowUp", "Enter", "Enter")
		}
		return c.Status().Mode == "title"
	})
}

// laidOut checks the positions of everything that is drawn, on several screens.
func (c *client) laidOut(t *testing.T, name string) {
	t.Helper()
	w, h, d := c.w, c.h, c.d
	for _, s := range drawtest.Screens(window.Shares()) {
		c.w, c.h, c.d.Density, c.d.Touch, c.d.Touches, c.d.Down = s.W, s.H, s.Density, s.Touch, nil, false
		c.picture()
		c.c.Marks = new(draw.Marks)
		c.picture()
		for _, f := range drawtest.Check(c.c.Marks, s) {
			if f.Rule == drawtest.Tight && strings.HasPrefix(name, "tanks setup") && f.A.Box.H > 29.5*s.Density {
				continue // two columns of six rows
			}
			t.Errorf("%s, %.0f x %.0f: %v", name, s.W, s.H, f)
		}
		c.c.Marks = nil
	}
	c.w, c.h, c.d = w, h, d
}

// shot checks the layout in each language, stores pictures as artifacts, and returns how many colours the English one
// has.
func (c *client) shot(name string) (colours int) {
	c.Helper()
	c.Setenv("LANGUAGE", "") // it panics in a parallel test, since the language belongs to the whole process, too
	for _, l := range words.All() {
		words.Set(l)
		c.laidOut(c.T, name+", "+l.Tag())
	}
	c.paint(name + " " + words.Current().Tag())
	words.Set(words.English)
	return c.paint(name)
}

// paint paints a picture, stores it as an artifact, and returns how many colours it has.
func (c *client) paint(name string) (colours int) {
	c.Helper()
	w, h := int(c.w), int(c.h)
	if full := flag.Lookup("test.artifacts"); full == nil || full.Value.String() != "true" {
		w, h = w/3, h/3 // nobody looks at it, and a small one is faster
	}
	c.Picture(c.c, &c.d, float32(w), float32(h), 1.0/60)
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Paint(m, c.c)
	f, err := os.Create(filepath.Join(c.ArtifactDir(), strings.ReplaceAll(name, " ", "-")+".png"))
	if err != nil {
		c.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		c.Fatal(err)
	}
	seen := map[[3]byte]bool{}
	for i := 0; i < len(m.Pix); i += 4 {
		seen[[3]byte(m.Pix[i:i+3])] = true
	}
	return len(seen)
}

// says reports whether a text is written in the next picture.
func (c *client) says(text string) bool {
	c.c.Marks = new(draw.Marks)
	c.picture()
	marks := c.c.Marks
	c.c.Marks = nil
	return slices.ContainsFunc(marks.List, func(m draw.Mark) bool { return strings.Contains(m.Text, text) })
}

// click clicks on a place.
func (c *client) click(x, y float32) {
	c.d.Pointer = draw.Point{X: x, Y: y}
	c.picture()
	c.d.Down = true
	c.picture()
	c.d.Down = false
	c.picture()
	c.picture()
}
