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
	"github.com/tickback/tickback/play/netplay"
)

// patience bounds every wait of these tests.
const patience = 60 * time.Second

// TestMain lets many tests play at once, also where there are few processors: they wait for
// the clock most of the time.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	m.Run()
}

// inRealTime is said by tests that play for seconds: they do so beside others.
func inRealTime(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it plays in real time")
	}
	t.Parallel()
}

// client is an app without a window, in the online mode, with verbs.
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

// until lets all clients go on until something is so.
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
	c.c.Marks = new(draw.Marks)
	defer func() { c.c.Marks = nil }()
	c.picture()
	return slices.ContainsFunc(c.c.Marks.List, func(m draw.Mark) bool { return m.Text == text })
}

// during lets all clients go on for so long.
func during(all []*client, d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		for _, c := range all {
			c.picture()
		}
		time.Sleep(8 * time.Millisecond)
	}
}

// press presses a key and lets go.
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

// shot paints the last picture, keeps it as an artifact, and says how many colours it
// has.
func (c *client) shot(t *testing.T, name string) (colours int) {
	t.Helper()
	w, h := int(c.w), int(c.h)
	if full := flag.Lookup("test.artifacts"); full == nil || full.Value.String() != "true" {
		w, h = w/3, h/3 // nobody looks at it: a small one is quicker
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
