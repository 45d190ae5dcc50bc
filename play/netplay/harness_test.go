//go:build !js

package netplay_test

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

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/draw/drawtest"
	"github.com/tickback/tickback/play/netplay"
	"github.com/tickback/tickback/play/window"
	"github.com/tickback/tickback/play/words"
)

// patience bounds every wait of these tests.
const patience = 60 * time.Second

// TestMain runs many tests at the same time, even with few processors: they wait for the clock most of the time.
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

// client is an app without a window, in the online mode, with methods for tests.
type client struct {
	*testing.T
	*app.App
	name   string
	c      *draw.Canvas
	d      controls.Devices
	w, h   float32
	last   time.Time
	hidden bool

	link, ticket string // what it was told to keep
	copied       string
	saved        []byte
}

// start starts a client; bots play for it.
func start(t *testing.T, name string, cfg netplay.Config) *client {
	t.Helper()
	return startIn(t, name, cfg, netplay.Mode)
}

// startIn starts a client in any mode with others.
func startIn(t *testing.T, name string, cfg netplay.Config, mode func(netplay.Config) app.Mode) *client {
	t.Helper()
	seed := uint32(7)
	for _, r := range name {
		seed = seed*31 + uint32(r)
	}
	c := &client{T: t, name: name, w: app.Width, h: app.Height, c: draw.NewCanvas(draw.NewAtlas()), App: app.New(app.Options{Auto: true, Seed: seed | 1})}
	cfg.Name, cfg.Loopback = name, true
	if cfg.Machine.Kept != nil {
		c.ticket = cfg.Machine.Kept()
	}
	cfg.Machine = netplay.Machine{
		Copy: func(text string, done func(bool)) { c.copied = text; done(true) },
		Save: func(_ string, data []byte) { c.saved = data },
		Keep: func(link, ticket string) { c.link, c.ticket = link, ticket },
		Kept: func() string { return c.ticket },
	}
	c.Add(mode(cfg), true)
	t.Cleanup(c.Close)
	return c
}

// picture makes one picture, or lets time pass in a hidden page.
func (c *client) picture() {
	now := time.Now()
	dt := float32(1.0 / 60)
	if !c.last.IsZero() {
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

// shows reports whether a text is in the next picture.
func (c *client) shows(text string) bool {
	_, ok := c.find(text)
	return ok
}

// marks returns the positions of everything in the next picture.
func (c *client) marks() []draw.Mark {
	c.c.Marks = new(draw.Marks)
	defer func() { c.c.Marks = nil }()
	c.picture()
	return c.c.Marks.List
}

// find returns the position of a text in the next picture.
func (c *client) find(text string) (at draw.Box, ok bool) {
	marks := c.marks()
	i := slices.IndexFunc(marks, func(m draw.Mark) bool { return m.Text == text })
	if i < 0 {
		return draw.Box{}, false
	}
	return marks[i].Box, true
}

// texts returns the texts in the next picture.
func (c *client) texts() (list []string) {
	for _, m := range c.marks() {
		if m.Text != "" {
			list = append(list, m.Text)
		}
	}
	return list
}

// settle waits a moment: right after a match no button can be pressed.
func (c *client) settle() { during([]*client{c}, 500*time.Millisecond) }

// choose clicks on the button with a text.
func (c *client) choose(text string) {
	c.Helper()
	c.settle()
	b, ok := c.find(text)
	if !ok {
		c.Fatalf("%s sees no %q, but %q", c.name, text, c.texts())
	}
	c.click(b.X+b.W/2, b.Y+b.H/2)
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

// press presses and releases a key.
func (c *client) press(keys ...controls.Key) {
	for _, k := range keys {
		c.d.Keys = []controls.Key{k}
		c.picture()
		c.d.Keys = nil
		c.picture()
	}
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

// alone is called by tests that play for seconds and use each language: the language belongs to the whole process, so no
// other test may run at the same time.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it plays in real time")
	}
	t.Cleanup(func() { words.Set(words.English) })
}

// shot checks the layout in each language, stores pictures as artifacts, and returns how many colours the English one
// has.
func (c *client) shot(t *testing.T, name string) (colours int) {
	t.Helper()
	t.Setenv("LANGUAGE", "") // it panics in a parallel test, since the language belongs to the whole process, too
	for _, l := range words.All() {
		words.Set(l)
		c.laidOut(t, name+", "+l.Tag())
	}
	c.paint(t, name+" "+words.Current().Tag())
	words.Set(words.English)
	return c.paint(t, name)
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
			if !excused(&f, name, s) {
				t.Errorf("%s, %.0f x %.0f: %v", name, s.W, s.H, f)
			}
		}
		c.c.Marks = nil
	}
	c.w, c.h, c.d = w, h, d
}

// excused reports whether a fault is none, for one of these reasons:
//   - A room has a row for each seat, and one of a skirmish has five settings beside them: their rows are 28 points high.
//   - After a match the score is written across the picture.
func excused(f *drawtest.Finding, name string, s drawtest.Screen) bool {
	return f.Rule == drawtest.Tight && strings.HasPrefix(name, "skirmish room") && f.A.Box.H > 26*s.Density ||
		s.Crowded(f) && (strings.Contains(name, "room") || strings.HasPrefix(name, "lan setup")) ||
		f.Rule == drawtest.OwnFaint && strings.Contains(name, "over") && f.B.Kind == draw.MarkText
}

// paint paints a picture, stores it as an artifact, and returns how many colours it has.
func (c *client) paint(t *testing.T, name string) (colours int) {
	t.Helper()
	w, h := int(c.w), int(c.h)
	if full := flag.Lookup("test.artifacts"); full == nil || full.Value.String() != "true" {
		w, h = w/3, h/3 // nobody looks at it, and a small one is faster
	}
	c.Picture(c.c, &c.d, float32(w), float32(h), 1.0/60)
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Paint(m, c.c)
	f, err := os.Create(filepath.Join(t.ArtifactDir(), strings.ReplaceAll(name, " ", "-")+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
	seen := map[[3]byte]bool{}
	for i := 0; i < len(m.Pix); i += 4 {
		seen[[3]byte(m.Pix[i:i+3])] = true
	}
	return len(seen)
}
