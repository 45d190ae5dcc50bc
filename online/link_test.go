package online

import (
	"errors"
	"strings"
	"testing"
)

// A link leads to a room, and names the rooms' server besides the page.
func TestLinks(t *testing.T) {
	for link, want := range map[string][3]string{
		"https://play.example.org/#room=abc-_1":               {"abc-_1", "wss://play.example.org/rooms", "https://play.example.org/#room=abc-_1"},
		"http://127.0.0.1:8080":                               {"", "ws://127.0.0.1:8080/rooms", "http://127.0.0.1:8080#room="},
		" https://h/games/duel/index.html?x=1#lang=en&room=r": {"r", "wss://h/games/duel/rooms", "https://h/games/duel/index.html#room=r"},
		"wss://u:p@h/games/#room=r":                           {"r", "wss://h/games/rooms", "https://h/games/#room=r"},
		"http://h/#nothing":                                   {"", "ws://h/rooms", "http://h/#room="},
	} {
		page, room, err := parse(link)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := [3]string{room, socketOf(page), linkTo(page, room)}; got != want {
			t.Errorf("%q: %q, want %q", link, got, want)
		}
		if RoomOf(link) != want[0] {
			t.Errorf("%q: the room is %q", link, RoomOf(link))
		}
	}
	for _, link := range []string{"", "x", "/#room=r", "ftp://h/#room=r", "http://%zz", "javascript:alert(1)", strings.Repeat("x", 3000), "http://h/#room=" + strings.Repeat("x", 65), "http://h/#room=%00", "http://h/#room=../rooms", "http://h/#room=a b"} {
		if _, _, err := parse(link); !errors.Is(err, ErrLink) || RoomOf(link) != "" {
			t.Errorf("%q is taken: %v", link, err)
		}
	}
}

// The link to a place has its ticket, which is for the room that it leads to; no other text becomes
// one.
func TestLinksToAPlace(t *testing.T) {
	for link, want := range map[string]string{
		"https://h/#room=abc&place=x-_1":                       "abc.x-_1",
		" https://h/?place=no#lang=de&room=abc&place=x ":       "abc.x",
		"https://h/#room=abc":                                  "",
		"https://h/#place=x":                                   "",
		"https://h/#room=a.b&place=x":                          "",
		"https://h/#room=abc&place=":                           "",
		"https://h/#room=abc&place=a.b":                        "",
		"https://h/#room=abc&place=" + strings.Repeat("x", 65): "",
		"https://h/#room=abc&place=%00":                        "",
		"http://%zz#place=x":                                   "",
	} {
		if got := TicketOf(link); got != want {
			t.Errorf("%q: %q, want %q", link, got, want)
		}
	}
}

// FuzzLink: an accepted link leads to a server and back to itself.
func FuzzLink(f *testing.F) {
	f.Add("https://play.example.org/a/b?c#room=abc&d=e")
	f.Fuzz(func(t *testing.T, link string) {
		page, room, err := parse(link)
		if err != nil {
			return
		}
		if s := socketOf(page); !strings.HasPrefix(s, "ws") || !strings.HasSuffix(s, "/rooms") {
			t.Fatalf("%q leads to %q", link, s)
		}
		if again, r, err := parse(linkTo(page, room)); err == nil && (r != room || again.Host != page.Host) {
			t.Fatalf("%q becomes %q, %q", link, again, r)
		}
	})
}
