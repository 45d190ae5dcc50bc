//go:build !js

package rooms

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// Texts are taken up to the lengths that docs/online.md names, and no longer.
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

// What is sent is no HTML: its signs take one byte each.
func TestSignsOfHTMLAreNotEscaped(t *testing.T) {
	if b := encode(request{Kind: kindStatus, Data: "<a&b>"}); !bytes.Contains(b, []byte(`"<a&b>"`)) {
		t.Errorf("%s", b)
	}
}
