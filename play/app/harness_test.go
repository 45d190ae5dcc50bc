package app_test

import (
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/mirror"
)

// client is an app without a window, with methods for tests.
type client struct {
	*testing.T
	*app.App
	c    *draw.Canvas
	d    controls.Devices
	w, h float32
	said *mirror.Mirror // the texts for people who cannot see the picture
}

func start(t *testing.T, o app.Options) *client {
	t.Helper()
	if o.Seed == 0 {
		o.Seed = 7
	}
	said := new(mirror.Mirror)
	o.Mirror = said
	return &client{T: t, App: app.New(o), said: said, c: draw.NewCanvas(draw.NewAtlas()), w: app.Width, h: app.Height}
}

// pictures draws the given number of pictures, at 60 per second. It fails on an error.
func (c *client) pictures(n int) *client {
	c.Helper()
	for range n {
		c.Picture(c.c, &c.d, c.w, c.h, 1.0/60)
	}
	if e := c.Status().Errors; len(e) > 0 {
		c.Fatal(e)
	}
	return c
}

// hold sets the keys that are held from now on.
func (c *client) hold(keys ...controls.Key) *client {
	c.d.Keys = keys
	return c
}

// press presses and lets go.
func (c *client) press(keys ...controls.Key) *client {
	c.Helper()
	for _, k := range keys {
		c.hold(k).pictures(1).hold().pictures(2)
	}
	return c
}

// click clicks at a place, in units of a screen of the usual size.
func (c *client) click(x, y float32) *client {
	c.Helper()
	c.d.Pointer = draw.Point{X: x, Y: y}
	c.pictures(1)
	c.d.Down = true
	c.pictures(1)
	c.d.Down = false
	return c.pictures(2)
}

// kept reports whether pictures are kept for inspection.
func kept() bool {
	full := flag.Lookup("test.artifacts")
	return full != nil && full.Value.String() == "true"
}

// shot paints the last picture, stores it as an artifact, and returns how many colours it has.
func (c *client) shot(name string) (colours int) {
	c.Helper()
	if !kept() {
		// Nobody looks at it, and a small one is faster.
		c.w, c.h = c.w/3, c.h/3
		c.pictures(1)
	}
	m := image.NewRGBA(image.Rect(0, 0, int(c.w), int(c.h)))
	draw.Paint(m, c.c)
	f, err := os.Create(filepath.Join(c.ArtifactDir(), name+".png"))
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

func (c *client) in(scene string) *client {
	c.Helper()
	if got := c.Status().Mode; got != scene {
		c.Fatalf("the scene is %q, want %q", got, scene)
	}
	return c
}
