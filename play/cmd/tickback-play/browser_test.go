//go:build !js

package main_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
)

// The page loads, and a bot plays ten seconds of ticks, without complaints. The tick rate is reported.
func TestThePagePlays(t *testing.T) {
	p := open(t, rooms.Config{}).visit(t, "the page", "?mode=versus-bot&auto=1&seed=5")
	until(t, p, "the match runs", func(s app.Status) bool { return s.Frame > 0 })
	begin, before := time.Now(), browsertest.Now[app.Status](p)
	after := until(t, p, "ten seconds are played", func(s app.Status) bool { return s.Frames >= before.Frames+600 })
	seconds := time.Since(begin).Seconds()
	t.Logf("%.1f ticks/s, %.1f pictures/s", float64(after.Frames-before.Frames)/seconds, float64(after.Pictures-before.Pictures)/seconds)
	if after.Mode != "duel" || after.Checksum == "" {
		t.Errorf("%+v", after)
	}
	p.Shot("duel")
}

// The lab's sliders change the figures in the page, too.
func TestTheLabOfThePage(t *testing.T) {
	p := open(t, rooms.Config{}).visit(t, "the page", "?mode=lab&auto=1&seed=5&silent=1")
	until(t, p, "the peers play", func(s app.Status) bool { return s.Frame > 10 })
	again := func(delay float64) uint64 {
		const left, width, y = 8 + 416*0.42 + 4, 416*0.36 - 8, 518 // the track of the first slider, 416 wide
		press(t, p, left+width*delay, y)
		settled := browsertest.Now[app.Status](p).Frames + 60
		before := until(t, p, "the delay is felt", func(s app.Status) bool { return s.Frames > settled })
		after := until(t, p, "five seconds are played", func(s app.Status) bool { return s.Frames > before.Frames+300 })
		return after.Resimulated - before.Resimulated
	}
	near := again(0)
	far := again(0.4)
	t.Logf("%d frames simulated again without a delay, %d with 120 ms", near, far)
	if far < near+30 {
		t.Error("the slider changes nothing")
	}
	p.Shot("lab")
}

// The other screens are stored as pictures, and appear without complaints.
func TestTheScreensOfThePage(t *testing.T) {
	site := open(t, rooms.Config{})
	p := site.visit(t, "the page", "?silent=1")
	for _, c := range []struct {
		name, query string
		pictures    uint64
		frames      uint64
	}{{"title", "", 40, 0}, {"arena", "?mode=arena&auto=1&seed=5", 0, 330}, {"settings", "?mode=settings", 10, 0}} {
		p.Navigate(site.url + c.query)
		until(t, p, c.name+" is seen", func(s app.Status) bool { return s.Pictures > c.pictures && s.Frames >= c.frames })
		p.Shot(c.name)
	}
}
