//go:build !js

package netplay_test

import (
	"testing"

	"github.com/tickback/tickback/play/netplay"
)

// Rule: a received message can be pasted as it is: the link in it is followed.
func TestAMessageAroundALinkIsPasted(t *testing.T) {
	c := start(t, "Bo", netplay.Config{})
	pasted := func(text string) string {
		c.Paste(text)
		c.picture()
		c.picture()
		return c.Status().Mode
	}
	if m := pasted("Come and play, it takes a minute!"); m != "online" {
		t.Errorf("a text without a link leads to %q", m)
	}
	if m := pasted("Join me: https://127.0.0.1:1/about cheers!"); m != "online" {
		t.Errorf("a link to no room leads to %q", m)
	}
	if m := pasted("Play Tickback with me (http://127.0.0.1:1/#room=abc-_1).\nIt takes a minute."); m != "connecting" {
		t.Errorf("a message leads to %q", m)
	}
}

// Rule: the same is true of a message with a link to an address on the local network.
func TestAMessageAroundALinkOfTheLocalNetworkIsPasted(t *testing.T) {
	for _, text := range []string{
		"Join me: http://192.168.1.4:8080/#room=abc-_1 cheers!",
		"Join me (http://192.168.1.4:8080/#room=abc-_1).",
		"http://[fe80::1]:8080/#room=abc-_1, please",
	} {
		c := start(t, "Bo", netplay.Config{})
		c.Paste(text)
		c.picture()
		c.picture()
		if m := c.Status().Mode; m != "connecting" {
			t.Errorf("%q leads to %q", text, m)
		}
	}
}

// Rule: in the field for an address on the local network, a message that contains one can be pasted, and one without is
// ignored.
func TestAMessageAroundAnAddressIsPasted(t *testing.T) {
	c := newNetwork(t).start("Bo", netplay.Config{})
	for _, m := range []struct{ text, field string }{
		{"Come and play!", "192.168.1.5, or Ctrl+V"}, // nothing is entered
		{"Join me: http://192.168.1.4:8080/#room=abc-_1 cheers!", "192.168.1.4:8080"},
		{"I am at 192.168.1.7.", "192.168.1.7:7717"},
	} {
		c.Paste(m.text)
		c.picture()
		if !c.shows(m.field) {
			t.Errorf("%q: the screen says %q", m.text, c.texts())
		}
	}
}
