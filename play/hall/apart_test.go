//go:build !js

package hall

import (
	"strings"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/words"
)

// Rule: a client that computes a different match from the server is informed, with the first such tick, until the next
// match.
func TestAMatchThatHasComeApartIsSaid(t *testing.T) {
	var a apart
	a.note([]tickback.Event{{What: tickback.Joined, Frame: 3}})
	if a.is {
		t.Error("somebody has joined, and that is all")
	}
	a.note([]tickback.Event{{What: tickback.Desync, Frame: 70}, {What: tickback.Desync, Frame: 90}})
	if a != (apart{true, 70}) {
		t.Errorf("%+v", a)
	}
	for _, l := range words.All() {
		words.Set(l)
		v := &stay{client: &clientView{apart: a}}
		if text := v.apart(); !strings.Contains(text, "70") {
			t.Errorf("%s: %q", l.Tag(), text)
		}
	}
	words.Set(words.English)
}
