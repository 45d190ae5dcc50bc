//go:build !js

package main_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
)

// noting records the texts that are written on canvases.
const noting = `{
	window.wrote = [];
	const fill = CanvasRenderingContext2D.prototype.fillText;
	CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
		if (window.wrote.length < 1000) window.wrote.push(text);
		return fill.call(this, text, ...more);
	};
}`

// Names that the built-in font lacks are written by the browser, as one text, and without characters that change the
// direction of others. The other members of the room get them unchanged.
func TestTheBrowserWritesNames(t *testing.T) {
	s := open(t, rooms.Config{})
	const arabic, persian = "مرحبا علي", "می\u200Cم 👨\u200D👩\u200D👧" // of 12 letters and 32 bytes at most
	ada := visit(t, "names", s.url+"?mode=online&game=duel&silent=1&seed=5&name="+url.QueryEscape("\u202E"+arabic), width, height, noting, calm)
	link := until(t, ada, "there is a room", func(s app.Status) bool { return s.Room != "" }).Room
	bo := guest(t, url.QueryEscape(persian), link, "")
	bo.Name = "guest"
	until(t, ada, "the other one is there", func(s app.Status) bool {
		return len(s.Members) == 2 && s.Members[0].Name == arabic && s.Members[1].Name == persian
	})
	var wrote []string
	until(t, ada, "the names are written", func(app.Status) bool {
		ada.Eval("window.wrote", &wrote)
		return slices.Contains(wrote, arabic) && slices.Contains(wrote, "می\u200Cم")
	})
	for _, w := range wrote {
		if strings.ContainsRune(w, '\u202E') {
			t.Errorf("%q changes the direction", w)
		}
	}
	ada.Shot("names")
}
