//go:build !js

package browsertest

import (
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// Point moves the mouse to a position in pixels.
func (p *Page) Point(x, y float64) {
	p.t.Helper()
	p.Do(chromedp.MouseEvent(input.MouseMoved, x, y))
}

// Button presses the left mouse button at a position in pixels, or releases it.
func (p *Page) Button(x, y float64, down bool) {
	p.t.Helper()
	kind := input.MouseReleased
	if down {
		kind = input.MousePressed
	}
	p.Do(chromedp.MouseEvent(kind, x, y, chromedp.Button("left"), chromedp.ClickCount(1)))
}

// Touch puts a finger down at a position in pixels, or lifts it.
func (p *Page) Touch(x, y float64, down bool) {
	p.t.Helper()
	if down {
		p.Do(input.DispatchTouchEvent(input.TouchStart, []*input.TouchPoint{{X: x, Y: y}}))
		return
	}
	p.Do(input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
}

// Type presses keys one after another: those of a text, or keys of chromedp's package kb.
func (p *Page) Type(keys string) { p.t.Helper(); p.Do(chromedp.KeyEvent(keys)) }

// Key presses a key, or releases it. The code is the key's position on a keyboard, as browsers name it: "KeyA",
// "Enter", "F1".
func (p *Page) Key(code string, down bool) {
	p.t.Helper()
	kind := input.KeyUp
	if down {
		kind = input.KeyRawDown
	}
	p.Do(input.DispatchKeyEvent(kind).WithCode(code).WithKey(code))
}
