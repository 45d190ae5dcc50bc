//go:build js

package main

import (
	"fmt"
	"math"
	"strings"
	"syscall/js"

	"github.com/tickback/tickback/cmd/cli/internal/scaffold/starter/room"
	"github.com/tickback/tickback/cmd/cli/internal/scaffold/starter/rules"
)

// screen is the page: a canvas, two lines of text, and the keys that are held. A game with more to show uses an
// engine such as Ebitengine instead.
type screen struct {
	canvas     js.Value // its 2D context
	text, help js.Value
	keys       map[string]bool // that are held, by their position on a keyboard
	//starter:!server
	struck bool // whether space was pressed since that was asked for
	//starter:end
	sound js.Value // an AudioContext, once a key was pressed: before that, browsers allow no sound
}

func newScreen() *screen {
	document := js.Global().Get("document")
	find := func(id string) js.Value { return document.Call("getElementById", id) }
	s := &screen{text: find("text"), help: find("help"), keys: map[string]bool{}}
	canvas := find("field")
	canvas.Set("width", rules.Width)
	canvas.Set("height", rules.Height)
	s.canvas = canvas.Call("getContext", "2d")
	listen := func(event string, down bool) {
		js.Global().Call("addEventListener", event, js.FuncOf(func(_ js.Value, args []js.Value) any {
			code := args[0].Get("code").String()
			if code == "Space" || strings.HasPrefix(code, "Arrow") {
				args[0].Call("preventDefault") // they would scroll the page
			}
			if s.sound.IsUndefined() && down {
				s.sound = js.Global().Get("AudioContext").New()
			}
			//starter:!server
			s.struck = s.struck || code == "Space" && down && !s.keys[code]
			//starter:end
			s.keys[code] = down
			return nil
		}))
	}
	listen("keydown", true)
	listen("keyup", false)
	js.Global().Call("addEventListener", "blur", js.FuncOf(func(js.Value, []js.Value) any {
		clear(s.keys) // their releases will not be reported
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

// Say shows a line.
func (s *screen) Say(text string) { s.text.Set("textContent", text) }

// Hint shows another one below it.
func (s *screen) Hint(text string) { s.help.Set("textContent", text) }

//starter:!server

// Struck reports whether the space bar was pressed since the last call.
func (s *screen) Struck() bool {
	was := s.struck
	s.struck = false
	return was
}

//starter:end

// Held returns the player's current input.
func (s *screen) Held() rules.Input {
	return rules.Input{
		Left: s.keys["ArrowLeft"] || s.keys["KeyA"], Right: s.keys["ArrowRight"] || s.keys["KeyD"],
		Up: s.keys["ArrowUp"] || s.keys["KeyW"], Down: s.keys["ArrowDown"] || s.keys["KeyS"],
	}
}

// Chime plays a short tone, from where it happens on the field.
func (s *screen) Chime(at rules.Point) {
	if s.sound.IsUndefined() {
		return
	}
	now := s.sound.Get("currentTime").Float()
	tone, fade, side := s.sound.Call("createOscillator"), s.sound.Call("createGain"), s.sound.Call("createStereoPanner")
	tone.Get("frequency").Call("setValueAtTime", 880, now)
	tone.Get("frequency").Call("setValueAtTime", 1320, now+0.06)
	fade.Get("gain").Call("setValueAtTime", 0.2, now)
	fade.Get("gain").Call("exponentialRampToValueAtTime", 0.001, now+0.25)
	side.Get("pan").Set("value", float64(at.X)/rules.Width*2-1)
	tone.Call("connect", fade)
	fade.Call("connect", side)
	side.Call("connect", s.sound.Get("destination"))
	tone.Call("start", now)
	tone.Call("stop", now+0.25)
}

var colors = [rules.Seats]string{"#ff6b6b", "#4ecdc4", "#ffd166", "#a78bfa"}

// draw paints a picture, if there is one.
func (s *screen) draw(p room.Picture, ok bool) {
	s.canvas.Set("fillStyle", "#1e1e3c")
	s.canvas.Call("fillRect", 0, 0, rules.Width, rules.Height)
	if !ok {
		return
	}
	for _, coin := range p.Coins {
		s.disc(float64(coin.X), float64(coin.Y), rules.CoinRadius, "#d68c45")
	}
	for i, player := range p.Players {
		s.disc(player.X, player.Y, rules.Radius, colors[i])
		s.canvas.Set("fillStyle", "#000")
		s.canvas.Call("fillText", fmt.Sprint(player.Coins), player.X-3, player.Y+3)
	}
}

func (s *screen) disc(x, y, radius float64, color string) {
	s.canvas.Set("fillStyle", color)
	s.canvas.Call("beginPath")
	s.canvas.Call("arc", x, y, radius, 0, 2*math.Pi)
	s.canvas.Call("fill")
}
