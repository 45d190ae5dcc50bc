//go:build !js

package main_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
)

// The windows of the players, which are small because the processor draws them.
const (
	width  = 480
	height = 270
)

// host opens a page that makes a room, and returns it with the room's link.
func (s site) host(t *testing.T, name, query string) (p *browsertest.Page, link string) {
	t.Helper()
	p = visit(t, name, s.url+"?mode=online&auto=1&silent=1&seed=5&name="+name+"&"+query, width, height, calm)
	return p, until(t, p, "there is a room", func(s app.Status) bool { return s.Room != "" }).Room
}

// guest opens a page that follows the link of a room, and waits until it is in the room.
func guest(t *testing.T, name, link, query string, scripts ...string) *browsertest.Page {
	t.Helper()
	p := visit(t, name, invited(link, name, query), width, height, append(scripts, calm)...)
	until(t, p, "it is in the room", func(s app.Status) bool { return s.Room != "" })
	return p
}

// invited returns the address with which a guest follows a link.
func invited(link, name, query string) string {
	return strings.Replace(link, "#", "?auto=1&silent=1&name="+name+query+"#", 1)
}

// reaches waits until a match has come to a frame.
func reaches(t *testing.T, p browsertest.Asked, frame uint32) app.Status {
	t.Helper()
	return until(t, p, "the match runs", func(s app.Status) bool { return s.Frame >= frame || s.Matches > 0 })
}

// matches returns those that have ended in a page.
func matches(p browsertest.Asked) (list []played) {
	p.Eval("window.played || []", &list)
	return list
}

// ends waits until a page has played matches with this many frames to their ends, and returns those matches.
func ends(t *testing.T, p browsertest.Asked, frames uint32) []played {
	t.Helper()
	var list []played
	until(t, p, "the match is over", func(s app.Status) bool {
		if s.Matches == 0 {
			return false
		}
		list = matches(p)
		n := uint32(0)
		for _, m := range list {
			n += m.Frame
		}
		return n >= frames
	})
	return list
}

// agree waits until the first page has played matches with this many frames to their ends. It fails unless all others
// have the same ends of the matches that they have seen to the end, including the newest, and the same states on the
// way.
func agree(t *testing.T, frames uint32, first browsertest.Asked, others ...browsertest.Asked) played {
	t.Helper()
	all := ends(t, first, frames)
	newest := all[len(all)-1]
	for _, m := range all {
		if m.Verdict != "healthy" || m.Checksum == "" {
			t.Errorf("%s: a match ends with %+v, and is %s", first, m.Outcome, m.Verdict)
		}
	}
	for _, p := range others {
		is := func(m played) bool { return m.Outcome == newest.Outcome }
		until(t, p, fmt.Sprintf("it ends with %+v, as %s has", newest.Outcome, first), func(app.Status) bool {
			return slices.ContainsFunc(matches(p), is)
		})
		list := matches(p)
		common := 0
		for _, m := range list[:1+slices.IndexFunc(list, is)] {
			common += compare(t, p.String(), m, all)
		}
		t.Logf("%s and %s end with %+v; %d states on the way are the same", first, p, newest.Outcome, common)
	}
	return newest
}

// compare fails unless a match is among the given ones. It returns how many states are the same.
func compare(t *testing.T, name string, m played, all []played) (common int) {
	t.Helper()
	i := slices.IndexFunc(all, func(a played) bool { return a.Outcome == m.Outcome })
	if i < 0 || m.Verdict != "healthy" {
		t.Errorf("%s: a match ends with %+v, %s; for others that was none", name, m.Outcome, m.Verdict)
		return 0
	}
	for frame, checksum := range m.States {
		switch all[i].States[frame] {
		case "":
		case checksum:
			common++
		default:
			t.Errorf("%s has %s at frame %d, and others have %s", name, checksum, frame, all[i].States[frame])
		}
	}
	return common
}

// member returns what a page knows about a member of its room.
func member(s app.Status, name string) (m app.Member, ok bool) {
	for _, m := range s.Members {
		if m.Name == name {
			return m, true
		}
	}
	return m, false
}

// sees waits until a member is in a state, as seen by a page; "" means that the member is not there.
func sees(t *testing.T, p *browsertest.Page, name, state string) {
	t.Helper()
	until(t, p, name+" is "+state, func(s app.Status) bool {
		m, _ := member(s, name)
		return m.State == state
	})
}

// Two pages play 1200 frames of a duel, with bots at the controls. One is hidden for a while, and counts as away
// meanwhile; a third one comes late and watches. All reach the same end, and the recording of one of them is verified
// by the command line.
func TestADuelOfTwoPages(t *testing.T) {
	const frames = 1200
	site := open(t, rooms.Config{})
	ada, link := site.host(t, "Ada", "game=duel&frames=1200&start=2")
	ada.Shot("the room")
	bo := guest(t, "Bo", link, "")
	reaches(t, ada, 120)
	ada.Shot("Ada plays")
	cy := guest(t, "Cy", link, "&watch=1")
	bo.Hide()
	sees(t, ada, "Bo", "away")
	away := browsertest.Now[app.Status](ada)
	on := until(t, ada, "play goes on", func(s app.Status) bool { return s.Frames >= away.Frames+120 })
	ada.Shot("Bo is away")
	t.Logf("Bo is away from frame %d on; %d frames later the match of then has had %d stalls", away.Frame, on.Frames-away.Frames, on.Stalls)
	for _, m := range matches(ada) {
		if !m.Finished && m.Frame < frames {
			t.Errorf("a match has ended before its time, with a hidden page: %+v", m.Outcome)
		}
	}
	bo.Show()
	sees(t, ada, "Bo", "here")
	if s := reaches(t, cy, 1); s.Seat != -1 {
		t.Errorf("who watches has seat %d", s.Seat)
	}
	cy.Shot("Cy watches")
	end := agree(t, frames, ada, bo, cy)
	bo.Shot("the end")
	verifies(t, tape(t, bo), end.Outcome)
}

// Four pages play the arena. One is closed midway; the others continue, and agree.
func TestAnArenaOfFourPages(t *testing.T) {
	const frames = 900
	site := open(t, rooms.Config{})
	ada, link := site.host(t, "Ada", "game=arena&seats=4&frames=900&start=4")
	bo, cy, di := guest(t, "Bo", link, ""), guest(t, "Cy", link, ""), guest(t, "Di", link, "")
	if s := reaches(t, ada, 200); s.Players != 4 || s.Seat != 0 || s.Matches != 0 {
		t.Errorf("the match is %+v", s)
	}
	ada.Shot("four play")
	cy.Close()
	sees(t, ada, "Cy", "lost")
	agree(t, frames, ada, bo, di)
	di.Shot("three are left")
}

// A page that is reloaded during a match gets its seat back, and sees the same end.
func TestAReloadedPage(t *testing.T) {
	const frames = 1200
	site := open(t, rooms.Config{})
	ada, link := site.host(t, "Ada", "game=arena&seats=2&frames=1200&start=2")
	bo := guest(t, "Bo", link, "")
	reaches(t, ada, 200)
	bo.Reload()
	back := until(t, bo, "it plays again", func(s app.Status) bool { return s.Frame > 0 })
	if back.Seat != 1 || back.Matches != 0 {
		t.Errorf("after it was loaded again it is %+v", back)
	}
	agree(t, frames, ada, bo)
}

// The tab of a player is closed, and the invitation is opened elsewhere: the new page is offered the place, continues
// the match there, and agrees with the others on a state. (If all that takes longer than the match, it is the next
// one.)
func TestAPlaceIsTakenInAnotherPage(t *testing.T) {
	site := open(t, rooms.Config{Vacancy: time.Second})
	ada, link := site.host(t, "Ada", "game=arena&seats=3&start=3")
	bo, _ := guest(t, "Bo", link, ""), guest(t, "Cy", link, "")
	reaches(t, ada, 60)
	bo.Close()
	dot := guest(t, "Dot", link, "")
	dot.Press(dot.HearThat("an offer", func(h browsertest.Heard) bool {
		return h.Role == "button" && (h.Name == "Bo has gone: take the place" || h.Name == "Take it")
	}))
	s := until(t, dot, "it plays", func(s app.Status) bool { return s.Seat >= 0 && s.Frame > 60 && s.Agreed.Frame > 0 })
	if s.Seat == 0 {
		t.Errorf("it has the seat of Ada: %+v", s)
	}
	if m, ok := member(browsertest.Now[app.Status](ada), "Bo"); ok && m.Seat >= 0 {
		t.Errorf("Bo still has seat %d", m.Seat)
	}
}
