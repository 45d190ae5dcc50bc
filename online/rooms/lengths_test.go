//go:build !js

package rooms

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

// Texts are accepted up to the lengths in docs/online.md, and no longer.
func TestTextsHaveTheLengthsOfTheDocuments(t *testing.T) {
	for _, c := range []struct {
		what string
		most int
		q    func(text string) request
	}{
		{"a signal", 16384, func(s string) request { return request{Kind: kindSignal, To: 1, Data: s} }},
		{"the settings", 4096, func(s string) request { return request{Kind: kindSettings, Data: s} }},
		{"the settings of a new room", 4096, func(s string) request {
			return request{Kind: kindCreate, Seats: 2, Game: "g", Build: "b", Name: "n", Data: s}
		}},
		{"a status", 64, func(s string) request { return request{Kind: kindStatus, Data: s} }},
		{"a name", 32, func(s string) request { return request{Kind: kindCreate, Seats: 2, Game: "g", Build: "b", Name: s} }},
	} {
		if _, err := decodeRequest(encode(c.q(strings.Repeat("x", c.most)))); err != nil {
			t.Errorf("%s of %d bytes: %v", c.what, c.most, err)
		}
		if _, err := decodeRequest(encode(c.q(strings.Repeat("x", c.most+1)))); !errors.Is(err, ErrBadMessage) {
			t.Errorf("%s of %d bytes: %v", c.what, c.most+1, err)
		}
	}
}

// Messages are not escaped for HTML: its special characters take one byte each.
func TestSignsOfHTMLAreNotEscaped(t *testing.T) {
	if b := encode(request{Kind: kindStatus, Data: "<a&b>"}); !bytes.Contains(b, []byte(`"<a&b>"`)) {
		t.Errorf("%s", b)
	}
}

// ICE servers are accepted up to 16, with 16 URLs each, and 512 bytes of text each.
func TestServersUpToTheirLimits(t *testing.T) {
	text := func(n int) string { return strings.Repeat("x", n) }
	urls := func(n int) []string { return slices.Repeat([]string{"stun:a"}, n) }
	for what, c := range map[string]struct {
		list []ICEServer
		good bool
	}{
		"16 servers":            {make([]ICEServer, 16), true},
		"17 servers":            {make([]ICEServer, 17), false},
		"16 URLs":               {[]ICEServer{{URLs: urls(16)}}, true},
		"17 URLs":               {[]ICEServer{{URLs: urls(17)}}, false},
		"a long URL":            {[]ICEServer{{URLs: []string{text(512)}}}, true},
		"a longer URL":          {[]ICEServer{{URLs: []string{text(513)}}}, false},
		"a long user name":      {[]ICEServer{{Username: text(512)}}, true},
		"a longer user name":    {[]ICEServer{{Username: text(513)}}, false},
		"a long credential":     {[]ICEServer{{Credential: text(512)}}, true},
		"a longer credential":   {[]ICEServer{{Credential: text(513)}}, false},
		"one bad, and then one": {[]ICEServer{{Username: text(513)}, {}}, false},
	} {
		if err := checkServers(c.list); (err == nil) != c.good {
			t.Errorf("%s: %v", what, err)
		}
	}
}
