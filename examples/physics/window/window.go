//go:build desktop

package main

import (
	"fmt"
	"image/color"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/ebitenutil"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
	"github.com/hajimehoshi/ebiten/v2/vector"

	"github.com/tickback/tickback/examples/physics/room"
	"github.com/tickback/tickback/examples/physics/rules"
)

// window is the game that Ebitengine runs, and a room.Screen.
type window struct {
	game       *room.Game
	text, help string
}

// Say sets the line about the room or the match, which the next Draw shows.
func (w *window) Say(text string) { w.text = text }

// Hint sets the line of help, which the next Draw shows below that of Say.
func (w *window) Hint(text string) { w.help = text }

// Struck reports whether the space bar has gone down since the last update.
func (w *window) Struck() bool { return inpututil.IsKeyJustPressed(ebiten.KeySpace) }

// Held reads the keys: the arrows or W, A, S and D, and the space bar to jump.
func (w *window) Held() rules.Input {
	held := func(keys ...ebiten.Key) (is bool) {
		for _, k := range keys {
			is = is || ebiten.IsKeyPressed(k)
		}
		return is
	}
	return rules.Input{
		Left: held(ebiten.KeyArrowLeft, ebiten.KeyA), Right: held(ebiten.KeyArrowRight, ebiten.KeyD),
		Jump: held(ebiten.KeyArrowUp, ebiten.KeyW, ebiten.KeySpace), Dash: held(ebiten.KeyArrowDown, ebiten.KeyS),
	}
}

// Update runs what is due. Ebitengine calls it for each tick, and ends the program at an error.
func (w *window) Update() error { return w.game.Update() }

// Layout returns the size of the field for windows of all sizes: Ebitengine scales the picture.
func (w *window) Layout(int, int) (int, int) { return rules.Width, rules.Height }

var (
	background = color.RGBA{0x1e, 0x1e, 0x3c, 0xff}
	ground     = color.RGBA{0x8d, 0x99, 0xae, 0xff}
	crate      = color.RGBA{0xb0, 0x89, 0x68, 0xff}
	ball       = color.RGBA{0xcb, 0xd5, 0xe1, 0xff}
	players    = [rules.Seats]color.RGBA{{0xff, 0x6b, 0x6b, 0xff}, {0x4e, 0xcd, 0xc4, 0xff}, {0xff, 0xd1, 0x66, 0xff}, {0xa7, 0x8b, 0xfa, 0xff}}
)

// Draw paints the newest frame, each thing where its speed will have taken it when the picture is shown. It
// implements ebiten.Game.
func (w *window) Draw(to *ebiten.Image) {
	to.Fill(background)
	ebitenutil.DebugPrint(to, w.text+"\n"+w.help)
	v := w.game.View()
	if v.Current == nil {
		return
	}
	ahead := v.Fraction / 60
	bar(to, rules.Edge, rules.Top, rules.Width-2*rules.Edge, 8)
	lift := v.Current.Lift.Position()
	bar(to, lift.X+v.Current.Lift.Velocity().X*ahead, lift.Y, rules.LiftWidth, 6)
	for _, t := range v.Current.Things {
		at, speed := t.Body.Position(), t.Body.Velocity()
		thing(to, t, at.X+speed.X*ahead, at.Y+speed.Y*ahead)
	}
	ebitenutil.DebugPrintAt(to, fmt.Sprint("points ", v.Current.Points), 0, 32)
}

// bar draws a piece of ground with round ends.
func bar(to *ebiten.Image, x, y, width, thick float64) {
	line(to, x, y, x+width, y, 2*thick, ground)
	disc(to, x, y, thick, ground)
	disc(to, x+width, y, thick, ground)
}

func thing(to *ebiten.Image, t *rules.Thing, x, y float64) {
	sin, cos := math.Sincos(t.Body.Angle())
	dx, dy := t.Radius*cos, t.Radius*sin
	if t.Crate {
		line(to, x-dx, y-dy, x+dx, y+dy, 2*t.Radius, crate)
		return
	}
	c := ball
	if t.Player >= 0 {
		c = players[t.Player]
	}
	disc(to, x, y, t.Radius, c)
	line(to, x, y, x+dx, y+dy, 1, background) // so that you can see it roll
}

func line(to *ebiten.Image, x1, y1, x2, y2, thick float64, c color.Color) {
	vector.StrokeLine(to, float32(x1), float32(y1), float32(x2), float32(y2), float32(thick), c, true)
}

func disc(to *ebiten.Image, x, y, radius float64, c color.Color) {
	vector.FillCircle(to, float32(x), float32(y), float32(radius), c, true)
}
