//go:build js

package main

import (
	"fmt"
	"math"
	"syscall/js"

	"github.com/tickback/tickback"

	"github.com/tickback/tickback/examples/physics/rules"
)

// screen is the page, as a room.Screen: a canvas, two lines of text, and the keys that are held.
type screen struct {
	canvas     js.Value // its 2D context
	text, help js.Value
	keys       map[string]bool // the keys that are held, by their place on a keyboard
	struck     map[string]bool // the keys that were pressed since Struck last looked
}

func newScreen() *screen {
	document := js.Global().Get("document")
	find := func(id string) js.Value { return document.Call("getElementById", id) }
	s := &screen{text: find("text"), help: find("help"), keys: map[string]bool{}, struck: map[string]bool{}}
	canvas := find("field")
	canvas.Set("width", rules.Width)
	canvas.Set("height", rules.Height)
	s.canvas = canvas.Call("getContext", "2d")
	listen := func(event string, down bool) {
		js.Global().Call("addEventListener", event, js.FuncOf(func(_ js.Value, args []js.Value) any {
			code := args[0].Get("code").String()
			s.struck[code] = s.struck[code] || down && !s.keys[code]
			s.keys[code] = down
			return nil
		}))
	}
	listen("keydown", true)
	listen("keyup", false)
	js.Global().Call("addEventListener", "blur", js.FuncOf(func(js.Value, []js.Value) any {
		clear(s.keys) // no event will report that they are released
		return nil
	}))
	return s
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
func (s *screen) Say(text string) { s.text.Set("textContent", text) }

// Hint sets the line of help, below that of Say.
func (s *screen) Hint(text string) { s.help.Set("textContent", text) }

// Struck reports whether the space bar was pressed since the last call.
func (s *screen) Struck() bool {
	was := s.struck["Space"]
	s.struck["Space"] = false
	return was
}

// Held reads the keys by their place on the keyboard: the arrows or W, A, S and D, and the space bar to jump.
func (s *screen) Held() rules.Input {
	return rules.Input{
		Left: s.keys["ArrowLeft"] || s.keys["KeyA"], Right: s.keys["ArrowRight"] || s.keys["KeyD"],
		Jump: s.keys["ArrowUp"] || s.keys["KeyW"] || s.keys["Space"], Dash: s.keys["ArrowDown"] || s.keys["KeyS"],
	}
}

const background = "#1e1e3c"

var colors = [rules.Seats]string{"#ff6b6b", "#4ecdc4", "#ffd166", "#a78bfa"}

// draw paints the newest frame. There is no older frame of a game that owns its memory, so each thing is
// drawn where its speed will have taken it when the picture is shown. Nothing of that goes back into the
// state.
func (s *screen) draw(v tickback.View[rules.State]) {
	s.canvas.Set("fillStyle", background)
	s.canvas.Call("fillRect", 0, 0, rules.Width, rules.Height)
	if v.Current == nil {
		return
	}
	ahead := v.Fraction / 60
	s.bar(rules.Edge, rules.Top, rules.Width-2*rules.Edge, 8)
	lift := v.Current.Lift.Position()
	s.bar(lift.X+v.Current.Lift.Velocity().X*ahead, lift.Y, rules.LiftWidth, 6)
	for _, t := range v.Current.Things {
		at, speed := t.Body.Position(), t.Body.Velocity()
		s.thing(t, at.X+speed.X*ahead, at.Y+speed.Y*ahead)
	}
	s.canvas.Set("font", "20px sans-serif")
	for p, points := range v.Current.Points {
		s.canvas.Set("fillStyle", colors[p])
		s.canvas.Call("fillText", fmt.Sprint(points), 30+40*p, 36)
	}
}

// bar draws a piece of ground with round ends.
func (s *screen) bar(x, y, width, thick float64) {
	s.canvas.Set("fillStyle", "#8d99ae")
	s.canvas.Call("beginPath")
	s.canvas.Call("roundRect", x-thick, y-thick, width+2*thick, 2*thick, thick)
	s.canvas.Call("fill")
}

func (s *screen) thing(t *rules.Thing, x, y float64) {
	color := "#cbd5e1"
	switch {
	case t.Player >= 0:
		color = colors[t.Player]
	case t.Crate:
		color = "#b08968"
	}
	s.canvas.Call("save")
	s.canvas.Call("translate", x, y)
	s.canvas.Call("rotate", t.Body.Angle())
	s.canvas.Set("fillStyle", color)
	s.canvas.Call("beginPath")
	if t.Crate {
		s.canvas.Call("rect", -t.Radius, -t.Radius, 2*t.Radius, 2*t.Radius)
	} else {
		s.canvas.Call("arc", 0, 0, t.Radius, 0, 2*math.Pi)
	}
	s.canvas.Call("fill")
	s.canvas.Set("strokeStyle", background) // so that you can see it roll
	s.canvas.Call("beginPath")
	s.canvas.Call("moveTo", 0, 0)
	s.canvas.Call("lineTo", t.Radius, 0)
	s.canvas.Call("stroke")
	s.canvas.Call("restore")
}
