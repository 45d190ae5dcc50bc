//go:build !js

package rooms

import (
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// A server answers to its own names, to localhost and to numbers, in any spelling, and
// not to a name that an attacker has pointed at it (DNS rebinding).
func TestNamesOfAServer(t *testing.T) {
	s, _ := serve(t, Config{Hosts: []string{"play.example.org", "*.Duel.example"}})
	for host, want := range map[string]bool{
		"play.example.org": true, "PLAY.example.org:8080": true, "play.example.org.": true, "a.duel.example": true, "A.DUEL.EXAMPLE:1": true,
		"localhost": true, "localhost:8080": true, "game.localhost": true, "127.0.0.1:80": true, "192.168.1.5": true, "[::1]:80": true, "[2001:db8::1]": true,
		"": false, "example.org": false, "x.play.example.org": false, "evil.example": false, "localhost.evil.example": false,
		"127.0.0.1.evil.example": false, "a.b.duel.example": true, "duel.example": false, "evil.example:80": false, "127.0.0.1evil.example": false,
	} {
		if s.AllowsHost(host) != want {
			t.Errorf("%q: allowed is %v", host, !want)
		}
	}
	for _, bad := range []string{"", "https://x.org", "x.org:80", "a b", "x.org/", "[::1]", "x*.org", "*.*.org", "u@x.org", strings.Repeat("x", 300)} {
		if _, err := NewServer(Config{Hosts: []string{bad}}); err == nil || !strings.Contains(err.Error(), "without a port") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// Names may be added and removed while a server runs. Invalid names are refused.
func TestNamesThatChange(t *testing.T) {
	more := []string{"a.example"}
	s, _ := serve(t, Config{Hosts: []string{"play.example.org"}, MoreHosts: func() []string { return more }})
	check := func(host string, want bool) {
		t.Helper()
		if s.AllowsHost(host) != want || s.ourName(host) != want {
			t.Errorf("%q: allowed is %v", host, !want)
		}
	}
	check("a.example", true)
	check("b.example", false)
	more = []string{"*", "*.*", "[", "", "B.example", "*.c.example"}
	check("a.example", false)
	check("b.example", true)
	check("x.c.example", true)
	check("evil.example", false)
	check("", false)
	check("play.example.org", true)
}

// A page is admitted by a name of the server's own and from its own origin, or from a
// configured one.
func TestPagesThatMayUseTheRooms(t *testing.T) {
	s, url := serve(t, Config{Hosts: []string{"play.example.org"}, Origins: []string{"friend.example", "*.dev.example:8080"}})
	for _, c := range []struct {
		host, origin string
		good         bool
	}{
		{"evil.example", "", true}, // a program: it needs no protection from itself
		{"play.example.org", "https://play.example.org", true},
		{"play.example.org:8080", "http://play.example.org:8080", true},
		{"localhost:8080", "http://localhost:8080", true},
		{"localhost:8080", "https://play.example.org", true}, // its proxy has changed the host
		{"play.example.org", "https://friend.example", true},
		{"play.example.org", "https://a.dev.example:8080", true},
		{"evil.example", "http://evil.example", false}, // by DNS rebinding
		{"evil.example:8080", "http://evil.example:8080", false},
		{"evil.example", "https://play.example.org", false},
		{"play.example.org", "https://evil.example", false},
		{"play.example.org", "https://play.example.org:8443", false},
		{"localhost:8080", "http://localhost:3000", false},
		{"play.example.org", "https://a.dev.example", false},
		{"play.example.org", "null", false},
		{"play.example.org", "https://friend.example.evil.example", false},
	} {
		header := http.Header{}
		if c.origin != "" {
			header.Set("Origin", c.origin)
		}
		conn, answer, err := websocket.Dial(within(t), url, &websocket.DialOptions{Subprotocols: []string{Subprotocol}, Host: c.host, HTTPHeader: header})
		if err == nil {
			conn.CloseNow()
		}
		if answer == nil || (answer.StatusCode == http.StatusSwitchingProtocols) != c.good || !c.good && answer.StatusCode != http.StatusForbidden {
			t.Errorf("%+v: %v, %v", c, answer, err)
		}
	}
	if n := s.Stats().Limited[limitHost]; n != 9 {
		t.Errorf("%d refusals are counted", n)
	}
}
