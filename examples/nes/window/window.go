//go:build desktop

package main

import (
	"image"
	"image/color"
	"log"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/ebitenutil"
	"github.com/hajimehoshi/ebiten/v2/inpututil"

	"github.com/tickback/tickback/examples/nes/console"
	"github.com/tickback/tickback/examples/nes/room"
	"github.com/tickback/tickback/examples/nes/speaker"
)

// The picture of the console, in dots, and the space above it for two lines of text, which have pixels half as wide and high.
const width, height, above = 256, 240, 20

// keys are those of a controller.
var keys = map[ebiten.Key]console.Input{
	ebiten.KeyArrowUp: console.Up, ebiten.KeyW: console.Up, ebiten.KeyArrowDown: console.Down, ebiten.KeyS: console.Down,
	ebiten.KeyArrowLeft: console.Left, ebiten.KeyA: console.Left, ebiten.KeyArrowRight: console.Right, ebiten.KeyD: console.Right,
	ebiten.KeyK: console.A, ebiten.KeySpace: console.A, ebiten.KeyL: console.B, ebiten.KeyEnter: console.Start, ebiten.KeyQ: console.Select,
}

// window is the game that Ebitengine runs, and a room.Screen.
type window struct {
	game       *room.Game
	preview    *image.RGBA
	device     *speaker.Device // nil without sound
	told       bool            // that there is no sound
	text, help string
	picture    *ebiten.Image
	lines      *ebiten.Image
}

// Say sets the line about the room or the match, which the next Draw shows.
func (w *window) Say(text string) { w.text = text }

// Hint sets the line of help, which the next Draw shows below that of Say.
func (w *window) Hint(text string) { w.help = text }

// Begins is for screens with a button for that.
func (w *window) Begins(bool) {}

// Struck reports whether the space bar or Enter has gone down since the last update.
func (w *window) Struck() bool {
	return inpututil.IsKeyJustPressed(ebiten.KeySpace) || inpututil.IsKeyJustPressed(ebiten.KeyEnter)
}

// Held reads the keys, and the first gamepad that is laid out as usual.
func (w *window) Held() (in console.Input) {
	for k, button := range keys {
		if ebiten.IsKeyPressed(k) {
			in |= button
		}
	}
	for _, id := range ebiten.AppendGamepadIDs(nil) {
		for b, button := range pad {
			if ebiten.IsStandardGamepadButtonPressed(id, b) {
				in |= button
			}
		}
	}
	return in
}

var pad = map[ebiten.StandardGamepadButton]console.Input{
	ebiten.StandardGamepadButtonLeftTop: console.Up, ebiten.StandardGamepadButtonLeftBottom: console.Down,
	ebiten.StandardGamepadButtonLeftLeft: console.Left, ebiten.StandardGamepadButtonLeftRight: console.Right,
	ebiten.StandardGamepadButtonRightBottom: console.A, ebiten.StandardGamepadButtonRightRight: console.B,
	ebiten.StandardGamepadButtonCenterRight: console.Start, ebiten.StandardGamepadButtonCenterLeft: console.Select,
}

// Update runs what is due. Ebitengine calls it for each picture, and ends the program at an error.
func (w *window) Update() error {
	if w.device != nil && !w.told && w.device.Err() != nil {
		w.told = true
		log.Print(w.device.Err())
	}
	return w.game.Update()
}

// LayoutF returns the pixels of the display: Draw scales by itself.
func (w *window) LayoutF(outside, tall float64) (float64, float64) {
	scale := ebiten.Monitor().DeviceScaleFactor()
	return outside * scale, tall * scale
}

// Layout is there since ebiten.Game requires it; LayoutF is called instead.
func (w *window) Layout(outside, tall int) (int, int) { return outside, tall }

var background = color.RGBA{0x12, 0x13, 0x1e, 0xff}

// usage is the second line while there is nothing else to say.
const usage = "W, A, S, D or the arrows walk.  K is A, L is B, Enter is Start, Q is Select."

// Draw paints the newest frame as large as fits, with a whole number of pixels for each dot, so that none is blurred or wider
// than another. It implements ebiten.Game.
func (w *window) Draw(to *ebiten.Image) {
	if w.picture == nil {
		w.picture, w.lines = ebiten.NewImage(width, height), ebiten.NewImage(2*width, 2*above)
	}
	picture := w.preview
	help := w.help
	if v := w.game.View(); v.Current != nil {
		picture = v.Current.Buffer()
	}
	if help == "" {
		help = usage
	}
	w.picture.WritePixels(picture.Pix)
	w.lines.Fill(background)
	ebitenutil.DebugPrintAt(w.lines, w.text+"\n"+help, 6, 3)

	size := to.Bounds().Size()
	times := max(min(size.X/width, size.Y/(height+above)), 1)
	left, top := (size.X-times*width)/2, (size.Y-times*(height+above))/2
	to.Fill(background)
	place := func(i *ebiten.Image, scale float64, y int) {
		o := &ebiten.DrawImageOptions{} // nearest dots, as it is by default
		o.GeoM.Scale(scale, scale)
		o.GeoM.Translate(float64(left), float64(top+times*y))
		to.DrawImage(i, o)
	}
	place(w.lines, float64(times)/2, 0)
	place(w.picture, float64(times), above)
}
