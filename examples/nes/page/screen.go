//go:build js

package main

import (
	"encoding/json"
	"fmt"
	"image"
	"math"
	"syscall/js"

	"github.com/fogleman/nes/nes"

	"github.com/tickback/tickback"

	"github.com/tickback/tickback/examples/nes/console"
	"github.com/tickback/tickback/examples/nes/room"
	"github.com/tickback/tickback/examples/nes/speaker"
)

// The picture of the console.
const width, height = 256, 240

// buttons are the keys of a controller, by their place on a keyboard.
var buttons = map[string]console.Input{
	"ArrowUp": console.Up, "KeyW": console.Up, "ArrowDown": console.Down, "KeyS": console.Down,
	"ArrowLeft": console.Left, "KeyA": console.Left, "ArrowRight": console.Right, "KeyD": console.Right,
	"KeyK": console.A, "Space": console.A, "KeyL": console.B, "Enter": console.Start, "KeyQ": console.Select,
}

// touched are the buttons below the picture, by their names in the page.
var touched = map[string]console.Input{"Up": console.Up, "Down": console.Down, "Left": console.Left, "Right": console.Right}

// screen is the page, as a room.Screen: a canvas, two lines of text, the keys and the buttons that are held, and sound.
type screen struct {
	canvas, context, image, bytes js.Value
	text, help, start, sound      js.Value

	keys   map[string]bool // the keys that are held, by their place on a keyboard
	finger console.Input   // what fingers hold
	struck bool            // the player wants to begin
	tapped console.Input   // what was pressed since the last frame, and may have been released
	quiet  bool
	player *speaker.Page

	reported float64 // when the status was, in ms
}

func newScreen(player *speaker.Page) *screen {
	document := js.Global().Get("document")
	find := func(id string) js.Value { return document.Call("getElementById", id) }
	s := &screen{
		canvas: find("field"), text: find("text"), help: find("help"), start: find("begin"), sound: find("sound"),
		keys: map[string]bool{}, player: player,
	}
	s.context = s.canvas.Call("getContext", "2d", map[string]any{"alpha": false})
	s.image = s.context.Call("createImageData", width, height)
	s.bytes = js.Global().Get("Uint8Array").New(s.image.Get("data").Get("buffer"))
	s.listen()
	return s
}

// on calls handle for the events of this name at a target.
func on(target js.Value, event string, handle func(e js.Value)) {
	target.Call("addEventListener", event, js.FuncOf(func(_ js.Value, args []js.Value) any {
		handle(args[0])
		return nil
	}), map[string]any{"passive": false})
}

func (s *screen) listen() {
	window := js.Global()
	on(window, "keydown", func(e js.Value) {
		code := e.Get("code").String()
		if e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() || e.Get("altKey").Bool() {
			return
		}
		if _, is := buttons[code]; is {
			e.Call("preventDefault") // arrows and the space bar would scroll, or press a button again
		}
		if !s.keys[code] {
			s.tapped |= buttons[code]
			s.struck = s.struck || code == "Space" || code == "Enter"
			if code == "KeyM" {
				s.quiet = !s.quiet
				s.sound.Set("textContent", map[bool]string{false: "sound off", true: "sound on"}[s.quiet])
			}
		}
		s.keys[code] = true
		s.awake()
	})
	on(window, "keyup", func(e js.Value) { s.keys[e.Get("code").String()] = false })
	on(window, "blur", func(js.Value) {
		clear(s.keys) // no event will report that they are released
		s.finger = 0
	})
	// It also changes when the lines above or the keys below do.
	window.Get("ResizeObserver").New(js.FuncOf(func(js.Value, []js.Value) any {
		s.fit()
		return nil
	})).Call("observe", s.canvas.Get("parentElement"))
	on(window, "pointerdown", func(js.Value) { s.awake() })
	on(s.start, "click", func(js.Value) { s.struck = true })
	list := js.Global().Get("document").Call("querySelectorAll", "[data-button]")
	for i := range list.Length() {
		s.touch(list.Index(i))
	}
}

// touch lets fingers hold a button of the page.
func (s *screen) touch(element js.Value) {
	button := touched[element.Get("dataset").Get("button").String()]
	hold := func(down bool) func(e js.Value) {
		return func(e js.Value) {
			e.Call("preventDefault")
			element.Get("classList").Call("toggle", "held", down)
			if s.finger &^= button; down {
				s.finger |= button
				s.tapped |= button
				s.awake()
			}
		}
	}
	on(element, "pointerdown", hold(true))
	for _, event := range []string{"pointerup", "pointercancel", "pointerleave"} {
		on(element, event, hold(false))
	}
	on(element, "contextmenu", func(e js.Value) { e.Call("preventDefault") })
}

// awake starts the sound, or stops it; browsers allow that only while an input is handled.
func (s *screen) awake() {
	if s.quiet {
		s.player.Stop()
		return
	}
	s.player.Start()
}

// fit makes the picture as large as fits. On displays large enough each dot has a whole number of pixels, so that none is wider
// than another.
func (s *screen) fit() {
	const frame = 24 // around the picture, in both directions together
	ratio := js.Global().Get("devicePixelRatio").Float()
	around := s.canvas.Get("parentElement")
	across := (around.Get("clientWidth").Float() - frame) * ratio / width
	down := (around.Get("clientHeight").Float() - frame) * ratio / height
	times := max(min(across, down), 0.5)
	if times >= 2 {
		times = math.Floor(times)
	}
	style := s.canvas.Get("style")
	style.Set("width", fmt.Sprintf("%.3fpx", times*width/ratio))
	style.Set("height", fmt.Sprintf("%.3fpx", times*height/ratio))
}

// wait returns when the next picture is due.
func (s *screen) wait() {
	due := make(chan struct{})
	call := js.FuncOf(func(js.Value, []js.Value) any { close(due); return nil })
	js.Global().Call("requestAnimationFrame", call)
	<-due
	call.Release()
}

// Say sets the line about the room or the match.
func (s *screen) Say(text string) { set(s.text, text) }

// Hint sets the line of help, below that of Say.
func (s *screen) Hint(text string) { set(s.help, text) }

// set writes a text, unless it stands there: those who hear the page would hear it again.
func set(element js.Value, text string) {
	if element.Get("textContent").String() != text {
		element.Set("textContent", text)
	}
}

// Begins shows a button with which a match begins, or hides it.
func (s *screen) Begins(can bool) {
	if s.start.Get("hidden").Bool() == can {
		s.start.Set("hidden", !can)
		s.struck = false // what was pressed before was not for that
	}
}

// Struck reports whether the player has wanted to begin since the last call.
func (s *screen) Struck() bool {
	was := s.struck
	s.struck = false
	return was
}

// Held reads the keys and the buttons. What was pressed only between two frames counts once.
func (s *screen) Held() console.Input {
	in := s.finger | s.tapped
	s.tapped = 0
	for code, down := range s.keys {
		if down {
			in |= buttons[code]
		}
	}
	return in
}

// draw paints the newest frame, and plays its sound.
func (s *screen) draw(v tickback.View[nes.Console]) {
	if v.Current == nil {
		return
	}
	s.paint(v.Current.Buffer())
	s.player.Update()
}

func (s *screen) paint(picture *image.RGBA) {
	js.CopyBytesToJS(s.bytes, picture.Pix)
	s.context.Call("putImageData", s.image, 0, 0)
}

// report makes the status of a match that of the page, some times a second.
func (s *screen) report(g *room.Game) {
	const every = 100 // ms
	now := js.Global().Get("performance").Call("now").Float()
	if now < s.reported+every {
		return
	}
	s.reported = now
	text, err := json.Marshal(g.Status())
	if err != nil {
		return // it has only texts and numbers
	}
	js.Global().Set("tickback", js.Global().Get("JSON").Call("parse", string(text)))
}
