//go:build !js

package main_test

import (
	"math"
	"testing"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
)

// Rule: on a screen with a notch, round corners or a system bar, the picture is in the free area, with all its buttons,
// including those for fingers, and as large as possible; and fingers, the mouse and assistive technology hit what they
// point at. This holds at every resolution.
func TestThePictureIsInTheSafeArea(t *testing.T) {
	const top, right, bottom, left = 24, 40, 34, 60
	site := open(t, rooms.Config{})
	p := site.visit(t, "the page", "?silent=1&seed=5")
	p.Insets(top, right, bottom, left)
	for _, finger := range []bool{false, true} {
		for _, share := range []float64{1, 0.5} {
			p.Navigate("about:blank")
			p.Navigate(site.url + "?silent=1&seed=5")
			until(t, p, "the title is there", func(s app.Status) bool { return s.Mode == "title" && s.Pictures > 5 })
			if share != 1 {
				p.Eval(`new Promise((done) => tickbackResolution(0.5, () => done(0)))`, nil)
				at := browsertest.Now[app.Status](p).Pictures
				until(t, p, "the pixels are fewer", func(s app.Status) bool { return s.Pictures > at+5 })
			}
			var size, button []float64
			p.Eval(`[innerWidth, innerHeight]`, &size)
			want := []float64{left, top, size[0] - left - right, size[1] - top - bottom}
			for _, of := range []string{"canvas", "#mirror"} {
				var got []float64
				p.Eval(`(() => { const r = document.querySelector("`+of+`").getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()`, &got)
				for i := range want {
					if math.Abs(got[i]-want[i]) > 1 {
						t.Fatalf("%s is at %v, and the safe area at %v", of, got, want)
					}
				}
			}
			var pixels []float64
			p.Eval(`(() => { const c = document.querySelector("canvas"); return [c.width / c.height, devicePixelRatio]; })()`, &pixels)
			if shape := want[2] / want[3]; math.Abs(pixels[0]-shape) > 0.02*shape {
				t.Errorf("the pixels of the picture are %.3f times as wide as high, and the safe area %.3f times", pixels[0], shape)
			}
			p.HearThat("a button", func(h browsertest.Heard) bool { return h.Role == "button" })
			p.Eval(`(() => { const r = document.querySelector("#mirror button").getBoundingClientRect(); return [r.left + 2, r.top + 2]; })()`, &button)
			if share != 1 { // the game uses the resolution that it has chosen itself
				continue
			}
			if finger {
				p.Touch(button[0], button[1], true)
			} else {
				p.Point(button[0], button[1])
				p.Button(button[0], button[1], true)
			}
			at := browsertest.Now[app.Status](p).Pictures
			until(t, p, "it is seen", func(s app.Status) bool { return s.Pictures > at+7 || s.Mode != "title" })
			if finger {
				p.Touch(button[0], button[1], false)
			} else {
				p.Button(button[0], button[1], false)
			}
			until(t, p, "the button at the corner is pressed", func(s app.Status) bool { return s.Mode != "title" })
			p.Shot("in the safe area")
		}
	}
}
