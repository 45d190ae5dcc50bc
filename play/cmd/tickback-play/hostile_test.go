//go:build !js

package main_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
)

// Malformed addresses lead to a screen, and cause no error of the page.
func TestAddressesThatMakeNoSense(t *testing.T) {
	browsertest.Rarely(t)
	site := open(t, rooms.Config{})
	p := site.visit(t, "the page", "?silent=1")
	for _, rest := range []string{
		"?mode=online&game=chess&seats=999&start=-1&frames=99999999999&seed=-5&silent=1",
		"?mode=%00%ff&name=%f0%28%8c%28&silent=1#room",
		"?silent=1&" + strings.Repeat("a=b&", 2000) + "#" + strings.Repeat("x", 50_000),
		"?silent=1#room=" + strings.Repeat("A", 50_000),
		"?silent=1#room=%00<script>alert(1)</script>&room=x",
		"?silent=1#room=../../rooms%0d%0aX",
	} {
		p.Navigate("about:blank") // so that the next address is another page, and not another place in this one
		p.Navigate(site.url + rest)
		s := browsertest.Until(p, "it is drawn", func(s app.Status) bool { return s.Pictures > 15 })
		t.Logf("%.60q leads to %s %.200q", rest, s.Mode, s.Message)
		if len(s.Errors) > 0 {
			t.Errorf("%.60q: %q", rest, s.Errors)
		}
	}
	p.Shot("no such room")
}

// Names are only displayed: invalid ones are changed, and stay within their boxes.
func TestNamesThatAreNone(t *testing.T) {
	browsertest.Rarely(t)
	site := open(t, rooms.Config{})
	ada, link := site.host(t, "Ada", "game=arena&seats=8")
	names := []string{`<b onclick=alert(1)>"';--`, "\u202eevil\u202c\u0000\u0007", "😀👩‍👩‍👧‍👦é̸̛̖", strings.Repeat("W", 300)}
	for i, name := range names {
		p := guest(t, url.QueryEscape(name), link, "")
		p.Name = fmt.Sprintf("guest %d", i)
		until(t, p, "it is in the room", func(s app.Status) bool { return len(s.Members) == i+2 && s.Seat == i+1 })
		if i+1 < len(names) {
			defer p.Close()
		}
	}
	s := until(t, ada, "all are there", func(s app.Status) bool { return len(s.Members) == len(names)+1 })
	for _, m := range s.Members {
		if m.Name == "" || len(m.Name) > rooms.MaxName || strings.ContainsAny(m.Name, "\u202e\u0000\u0007") {
			t.Errorf("somebody is called %q", m.Name)
		}
	}
	at := s.Pictures
	until(t, ada, "it is drawn", func(s app.Status) bool { return s.Pictures > at+20 })
	ada.Shot("names")
}

// If a place is open in two tabs, it belongs to the tab that came last; the first one says so, and the match has one
// player there.
func TestOnePlaceInTwoTabs(t *testing.T) {
	browsertest.Rarely(t)
	const frames = 1200
	site := open(t, rooms.Config{})
	ada, link := site.host(t, "Ada", "game=duel&frames=1200&start=2")
	bo := guest(t, "Bo", link, "")
	reaches(t, ada, 60)
	var ticket string
	bo.Eval(`sessionStorage.getItem("tickback.ticket")`, &ticket)
	twin := guest(t, "Bo", link, "", fmt.Sprintf("sessionStorage.setItem('tickback.ticket', %q)", ticket))
	twin.Name = "Bo's other tab"
	if s := until(t, twin, "it plays", func(s app.Status) bool { return s.Frame > 0 }); s.Seat != 1 {
		t.Errorf("the other tab has %+v", s)
	}
	says(t, bo, "another page")
	agree(t, frames, ada, twin)
}

// A page that is reloaded again and again, navigates away and comes back is in its place at the end; visitors who only
// come and go change nothing.
func TestAPageThatComesAndGoes(t *testing.T) {
	browsertest.Rarely(t)
	const frames = 1800
	site := open(t, rooms.Config{})
	ada, link := site.host(t, "Ada", "game=arena&seats=2&frames=1800&start=2")
	bo := guest(t, "Bo", link, "")
	reaches(t, ada, 60)
	for range 5 {
		bo.Reload()
	}
	bo.Navigate("about:blank")
	visit(t, "somebody", invited(link, "Cy", ""), width, height).Close()
	bo.Back()
	if s := until(t, bo, "it plays again", func(s app.Status) bool { return s.Frame > 0 }); s.Seat != 1 || s.Matches > 0 {
		t.Errorf("after all of it: %+v", s)
	}
	agree(t, frames, ada, bo)
}

// A page that was left during a match, and that the browser has kept in memory, plays again when it is back.
func TestAPageThatTheBrowserHasKept(t *testing.T) {
	browsertest.Rarely(t)
	const frames = 1200
	site := open(t, rooms.Config{})
	ada, link := site.host(t, "Ada", "game=arena&seats=2&frames=1200&start=2")
	bo := guest(t, "Bo", link, "")
	bo.Forgive("Back-Forward Cache") // of its connection to the server
	reaches(t, bo, 60)
	bo.Eval("window.kept = true", nil)
	bo.Navigate("about:blank")
	at := browsertest.Now[app.Status](ada).Frame
	reaches(t, ada, at+60)
	bo.Back()
	until(t, bo, "it plays again", func(s app.Status) bool { return s.Mode == "match" && s.Frame > at+60 })
	var kept bool
	if bo.Eval("!!window.kept", &kept); !kept {
		t.Error("the browser has loaded the page once more: this shows nothing")
	}
	agree(t, frames, ada, bo)
}
