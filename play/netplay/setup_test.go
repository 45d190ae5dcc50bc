//go:build !js

package netplay_test

import (
	"testing"

	"github.com/tickback/tickback/play/netplay"
)

// Rule: a message that somebody was sent is pasted as it is: the link in it is followed.
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
	if m := pasted("Play Tickback with me (http://127.0.0.1:1/#room=abc-_1).\nIt takes a minute."); m != "connecting" {
		t.Errorf("a message leads to %q", m)
	}
}
