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

// noting notes what is written on canvases.
const noting = `{
	window.wrote = [];
	const fill = CanvasRenderingContext2D.prototype.fillText;
	CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
		if (window.wrote.length < 1000) window.wrote.push(text);
		return fill.call(this, text, ...more);
	};
}`

// Names that the built-in font lacks are written by the browser, as one text, and without what changes the
// direction of others.
func TestTheBrowserWritesNames(t *testing.T) {
	s := open(t, rooms.Config{})
	name := "\u202Eمرحبا علي"
	p := visit(t, "names", s.url+"?mode=online&silent=1&seed=5&name="+url.QueryEscape(name), width, height, noting, calm)
	var wrote []string
	until(t, p, "the name is written", func(app.Status) bool {
		p.Eval("window.wrote", &wrote)
		return slices.Contains(wrote, "مرحبا علي")
	})
	for _, w := range wrote {
		if strings.ContainsRune(w, '\u202E') {
			t.Errorf("%q changes the direction", w)
		}
	}
	p.Shot("names")
}
