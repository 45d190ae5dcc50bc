//go:build !js

package main_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/page"
)

func TestMain(m *testing.M) {
	code := browsertest.Run(m)
	_ = packed.close()
	os.Exit(code)
}

// packed is the page as it is served, built once for all tests.
var packed pack

type pack struct {
	sync.Mutex
	dir string
}

func (k *pack) close() error { return os.RemoveAll(k.dir) }

// files returns the folder of the page.
func (k *pack) files(t *testing.T) string {
	t.Helper()
	k.Lock()
	defer k.Unlock()
	if k.dir != "" {
		return k.dir
	}
	s, err := page.Build(t.Context(), filepath.Join("..", "..", ".."), page.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "tickback-page")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := page.Pack(dir, s); err != nil {
		os.RemoveAll(dir)
		t.Fatal(err)
	}
	k.dir = dir
	return dir
}

// site is a server with the page and rooms.
type site struct {
	url  string
	stop func() // ends the server; calling it twice is no error
}

// open serves the page until the test ends.
func open(t *testing.T, cfg rooms.Config) site {
	t.Helper()
	browsertest.Find(t) // before anything is built
	url, stop := browsertest.Serve(t, packed.files(t), cfg)
	return site{url, stop}
}

// remember is a script that records what a page reports about matches: how each has ended, with the newest states on
// the way that all machines had in common.
const remember = `(() => {
  let now, matches = 0, last = -1, states = {};
  window.played = [];
  Object.defineProperty(window, "tickback", {
    configurable: true, get: () => now,
    set(s) {
      now = s;
      if (s.matches > matches) {
        matches = s.matches;
        played.push({...s.outcome, verdict: s.verdict, states});
      }
      if (!s.agreed || !s.agreed.checksum) return;
      if (s.agreed.frame < last) states = {}; // the next match
      states[last = s.agreed.frame] = s.agreed.checksum;
    },
  });
})()`

// calm is a script that limits a page to 16 pictures a second, so that several pages, drawn by two processors, leave
// time for their matches.
const calm = `(() => {
  const next = requestAnimationFrame.bind(window);
  let last = 0;
  window.requestAnimationFrame = draw => next(function look(now) {
    if (now - last < 60) return next(look);
    last = now;
    draw(now);
  });
})()`

// played is a match that has ended in a page.
type played struct {
	app.Outcome
	Verdict string
	States  map[uint32]string // some on the way, by their frames
}

// visit opens the page for a new user, with a query.
func (s site) visit(t *testing.T, name, query string) *browsertest.Page {
	t.Helper()
	return visit(t, name, s.url+query, 960, 540)
}

// visit opens an address for a new user. The scripts run before the page's own.
func visit(t *testing.T, name, address string, width, height int, scripts ...string) *browsertest.Page {
	t.Helper()
	p := browsertest.Shared(t).Blank(t)
	p.Name = name
	p.Resize(width, height)
	for _, script := range append([]string{remember}, scripts...) {
		p.Before(script)
	}
	p.Navigate(address)
	return p
}

// until waits until the app in a page meets a condition. Errors of the app and failure screens fail the test.
func until(t *testing.T, p browsertest.Asked, what string, is func(s app.Status) bool) app.Status {
	t.Helper()
	s := browsertest.Until(p, what, func(s app.Status) bool { return len(s.Errors) > 0 || s.Message != "" || is(s) })
	if len(s.Errors) > 0 || s.Message != "" && !is(s) {
		p.Fatalf("until %s: the app says %q %q", what, s.Message, s.Errors)
	}
	return s
}

// press holds the mouse button for some pictures at a place in units of the app's picture. It does not wait until the
// page has seen the release: the effect may be over soon, on a slow machine within those pictures.
func press(t *testing.T, p *browsertest.Page, x, y float64) {
	t.Helper()
	var size []float64
	p.Eval(`[innerWidth, innerHeight]`, &size)
	scale := min(size[0]/app.Width, size[1]/app.Height)
	x = (size[0]-app.Width*scale)/2 + x*scale
	y = (size[1]-app.Height*scale)/2 + y*scale
	for _, act := range []func(){func() { p.Point(x, y) }, func() { p.Button(x, y, true) }} {
		act()
		at := browsertest.Now[app.Status](p).Pictures
		until(t, p, "the mouse is seen", func(s app.Status) bool { return s.Pictures > at+7 })
	}
	p.Button(x, y, false)
}
