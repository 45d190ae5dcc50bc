//go:build js || desktop

package main

import (
	"encoding/binary"
	"fmt"
	"image/color"
	"log"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/audio"
	"github.com/hajimehoshi/ebiten/v2/ebitenutil"
	"github.com/hajimehoshi/ebiten/v2/vector"
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rollback/effects"

	"github.com/tickback/tickback/play/tutorial/game"
)

// keys are left, right, up and down.
type keys [4]ebiten.Key

var (
	arrows = keys{ebiten.KeyArrowLeft, ebiten.KeyArrowRight, ebiten.KeyArrowUp, ebiten.KeyArrowDown}
	wasd   = keys{ebiten.KeyA, ebiten.KeyD, ebiten.KeyW, ebiten.KeyS}
)

func (k keys) held() game.Input {
	return game.Input{
		Left: ebiten.IsKeyPressed(k[0]), Right: ebiten.IsKeyPressed(k[1]),
		Up: ebiten.IsKeyPressed(k[2]), Down: ebiten.IsKeyPressed(k[3]),
	}
}

// options are those of every match, wherever it is played.
func options(sample func(tickback.Player) game.Input) tickback.Options[game.State, game.Input] {
	return tickback.Options[game.State, game.Input]{
		Players: game.Seats,
		Sample:  sample,
		Match:   tickback.Parameters{Seed: rand.Uint64(), Frames: game.Length},
		Start:   tickback.Seeded(game.New),
	}
}

// view shows a match.
type view struct {
	match *tickback.Match[game.State, game.Input]
	text  string
	rings []ring
}

// ring is the mark of an effect, which is shown for a moment.
type ring struct{ x, y, radius, end float32 }

// Update runs the frames that are due, and plays and shows their effects.
func (v *view) Update() error {
	if v.match == nil {
		return nil
	}
	_, err := v.match.Update()
	for _, e := range v.match.Effects() {
		switch {
		case e.What != effects.Started:
		case game.Passed.Is(&e):
			v.show(game.Passed.Payload(&e), 40, tone(500, 900, 0.1))
		case game.Bang.Is(&e):
			v.show(game.Bang.Payload(&e), 200, tone(160, 30, 0.6))
		}
	}
	return err
}

func (v *view) show(at fixed.Vec2, size float32, sound []byte) {
	x, y := at.FloatsForDrawing()
	v.rings = append(v.rings, ring{float32(x), float32(y), 0, size})
	speaker.NewPlayerF32FromBytes(sound).Play()
}

const rate = 48000 // samples in a second

var speaker = audio.NewContext(rate)

// tone makes a sound that slides from one pitch to another and fades.
func tone(from, to, seconds float64) (b []byte) {
	phase, n := 0.0, seconds*rate
	for i := range int(n) {
		done := float64(i) / n
		phase += (from + (to-from)*done) / rate
		sample := math.Float32bits(float32(0.3 * (1 - done) * math.Sin(2*math.Pi*phase)))
		b = binary.LittleEndian.AppendUint32(b, sample) // left
		b = binary.LittleEndian.AppendUint32(b, sample) // right
	}
	return b
}

var colors = [game.Seats]color.RGBA{{255, 107, 107, 255}, {78, 205, 196, 255}, {255, 209, 102, 255}, {167, 139, 250, 255}}

// Draw paints the field as it is between the last two frames.
func (v *view) Draw(screen *ebiten.Image) {
	screen.Fill(color.RGBA{30, 30, 60, 255})
	if v.match != nil {
		v.drawMatch(screen)
	}
	ebitenutil.DebugPrintAt(screen, v.text, 8, 8)
}

func (v *view) drawMatch(screen *ebiten.Image) {
	now := v.match.View()
	for p, r := range now.Current.Runners {
		x, y := between(now.Previous.Runners[p].At, r.At, now.Fraction)
		dx, dy := between(fixed.Vec2{}, r.Speed, 1.5)
		vector.FillCircle(screen, x, y, game.Radius, colors[p], true)
		for _, eye := range []float32{-5, 5} {
			vector.FillCircle(screen, x+eye+dx, y-3+dy, 3, color.Black, true)
		}
		ebitenutil.DebugPrintAt(screen, fmt.Sprintf("P%d: %d", p+1, r.Burns), int(x)-14, int(y)+18)
		if uint64(p) == now.Current.Holder {
			size := 8 + 3*float32(math.Sin(900/float64(now.Current.Fuse+20)))
			vector.FillCircle(screen, x, y-24, size, color.RGBA{214, 140, 69, 255}, true)
		}
	}
	for i := range v.rings {
		r := &v.rings[i]
		vector.StrokeCircle(screen, r.x, r.y, r.radius, (r.end-r.radius)/8, color.White, true)
		r.radius += (r.end - r.radius) / 8
	}
	v.rings = slices.DeleteFunc(v.rings, func(r ring) bool { return r.end-r.radius < 2 })
	ebitenutil.DebugPrintAt(screen, fmt.Sprint((game.Length-now.Frame+59)/60), game.Width-24, 8)
}

// between returns the position on the screen of something that moves from one place to another.
func between(from, to fixed.Vec2, fraction float64) (x, y float32) {
	x0, y0 := from.FloatsForDrawing()
	x1, y1 := to.FloatsForDrawing()
	return float32(x0 + (x1-x0)*fraction), float32(y0 + (y1-y0)*fraction)
}

// Layout is the size of the picture, which Ebitengine scales to that of the window.
func (v *view) Layout(int, int) (width, height int) { return game.Width, game.Height }

// show opens the window.
func show(g ebiten.Game) {
	ebiten.SetTPS(ebiten.SyncWithFPS) // Update once for each picture
	log.Fatal(ebiten.RunGame(g))
}
