//go:build !js

package main_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/theatre"
)

// Two pages play a skirmish in a room, with bots at the controls and a bot in the third place. Both have the same states
// on the way and reach the same end, and so does the recording of one of them.
func TestASkirmishOfTwoPages(t *testing.T) {
	const frames = 500
	site := open(t, rooms.Config{})
	ada, link := site.host(t, "Ada", "game=skirmish&seats=3&frames=500&start=2")
	ada.Shot("the room of a skirmish")
	bo := guest(t, "Bo", link, "")
	for _, p := range []*browsertest.Page{ada, bo} {
		s := reaches(t, p, 120)
		if s.Skirmish == nil || s.Skirmish.Units == 0 || s.Skirmish.All < 3*10 || s.Players != 3 {
			t.Errorf("%s: %+v", p.Name, s)
		}
		p.Shot(p.Name + " commands")
	}
	end := agree(t, frames, ada, bo)
	if end.Frame != frames {
		t.Errorf("the match has %d frames", end.Frame)
	}
	file := theatre.Open("page.tbr", tape(t, bo))
	for !file.Work(time.Second) {
	}
	f, err := file.File()
	if err != nil {
		t.Fatal(err)
	}
	v := f.Verify()
	for !v.Work(time.Second) {
	}
	last, _ := f.Reader.End()
	first := int(f.Reader.First()) // not 0 if its page was away for so long, on a slow machine, that it has come back later
	if hash := fmt.Sprintf("0x%08X", uint32(last.Hash)); v.Text() != theatre.Verified || first+int(f.Frames()) != frames || !last.Hashed || hash != end.Checksum {
		t.Errorf("%d frames from %d on, that end with %s, want %s: %s", f.Frames(), first, hash, end.Checksum, v.Text())
	}
}

// Two people play in two pages: the mouse and the keys of a page only move the units of its player. One resigns, and has
// lost.
func TestPeopleCommandInPages(t *testing.T) {
	site := open(t, rooms.Config{})
	address := site.url + "?mode=online&silent=1&seed=5&game=skirmish&seats=2&start=2&name="
	ada := visit(t, "Ada", address+"Ada", width, height, calm)
	link := until(t, ada, "there is a room", func(s app.Status) bool { return s.Room != "" }).Room
	bo := visit(t, "Bo", strings.Replace(link, "#", "?silent=1&name=Bo#", 1), width, height, calm)
	for _, p := range []*browsertest.Page{ada, bo} {
		until(t, p, "it plays", func(s app.Status) bool { return s.Frame > 40 && s.Skirmish != nil && s.Skirmish.Units == 10 })
	}
	key := func(p *browsertest.Page, code string) {
		p.Key(code, true)
		at := browsertest.Now[app.Status](p).Pictures
		until(t, p, "the key is seen", func(s app.Status) bool { return s.Pictures > at+7 })
		p.Key(code, false)
		at = browsertest.Now[app.Status](p).Pictures
		until(t, p, "it is let go", func(s app.Status) bool { return s.Pictures > at+7 })
	}
	key(bo, "KeyU")
	until(t, bo, "all are selected", func(s app.Status) bool { return s.Skirmish.Selected == 10 })
	key(bo, "KeyA")
	press(t, bo, 60, 400) // about 22 cells away, for six seconds
	until(t, bo, "they march", func(s app.Status) bool { return s.Skirmish.Idle == 0 })
	bo.Shot("Bo marches")
	if s := browsertest.Now[app.Status](ada).Skirmish; s.Idle != 10 || s.Selected != 0 {
		t.Errorf("Ada's units: %+v", *s)
	}
	key(bo, "Escape")
	bo.Shot("the menu of a skirmish")
	press(t, bo, app.Width/2, 336) // Give up
	for _, p := range []*browsertest.Page{ada, bo} {
		s := until(t, p, "the match is over", func(s app.Status) bool { return s.Matches == 1 })
		if winner, ok := skirmish.WinnerOf(s.Outcome.Result); !ok || winner != 0 || !s.Outcome.Finished {
			t.Errorf("%s: %+v", p.Name, s.Outcome)
		}
		p.Shot(p.Name + " after a skirmish")
	}
}
