//go:build js || desktop

package window

import (
	"image"
	"runtime"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
)

// Options configure a window.
type Options struct {
	App *app.App
	// Pictures is how many pictures are shown before it ends; 0 means no limit.
	Pictures int
	// Last, if given, gets the last picture, premultiplied.
	Last func(m *image.RGBA)
	// Each, if given, is called after each picture.
	Each func()
	// Width and Height are the initial size of the window; 0 means the default.
	Width, Height int
	// Silent opens no sound device.
	Silent bool
	// Done, if given, is called after each picture and reports whether it was the last one.
	Done func() bool
	// Paste, if given, reads the clipboard when Ctrl+V is pressed; it may take a while.
	Paste func() (string, error)
	// Until, if given, ends the window when it is closed.
	Until <-chan struct{}
}

// onDesktop says that the window is a desktop window, not a page.
const onDesktop = runtime.GOOS != "js"

// Run shows the app until it is done.
func Run(o Options) error {
	g := &game{o: o, canvas: draw.NewCanvas(draw.NewAtlas()), share: 1}
	g.canvas.Atlas.Writer = writer()
	g.poll.devices.Touch = fingers()
	if paintsInSoftware() {
		g.quality.step = len(qualities) - 2
	}
	ebiten.SetWindowTitle("Tickback")
	if o.Width == 0 || o.Height == 0 {
		o.Width, o.Height = app.Width, app.Height
	}
	ebiten.SetWindowSize(o.Width, o.Height)
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	ebiten.SetWindowSizeLimits(app.Width/4, app.Height/4, -1, -1)
	ebiten.SetRunnableOnUnfocused(true)
	ebiten.SetTPS(ebiten.SyncWithFPS)
	ebiten.SetScreenClearedEveryFrame(false) // a picture covers all of it
	if !o.Silent {
		g.listen()
	}
	return ebiten.RunGame(g)
}

// game is called by Ebitengine.
type game struct {
	o        Options
	canvas   *draw.Canvas
	poll     poll
	textures textures
	vertices []ebiten.Vertex
	indices  []uint32
	last     time.Time
	w, h     float64
	count    int
	quality  quality
	share    float64 // the share of the resolution that is in use
	speaker  *speaker
	pasted   chan paste
}

// latency is how much sound is computed ahead.
const latency = 40 * time.Millisecond

// listen opens the sound device. Without one the game is silent, and the title says so.
func (g *game) listen() {
	var err error
	if g.speaker, err = listen(g.o.App.Mixer); err != nil {
		g.o.App.Note(err)
	}
}

func (g *game) ended() bool {
	select {
	case <-g.o.Until: // never, if it is nil
		return true
	default:
		return g.o.App.Done() || g.o.Done != nil && g.o.Done() || g.o.Pictures > 0 && g.count > g.o.Pictures
	}
}

// Update makes a picture. It runs once for each picture that is shown.
func (g *game) Update() error {
	if g.ended() {
		return ebiten.Termination
	}
	now := time.Now()
	dt := float32(1.0 / 60)
	if !g.last.IsZero() {
		dt = float32(now.Sub(g.last).Seconds())
	}
	g.last = now
	step := g.quality.step
	g.quality.look(dt)
	if g.quality.step != step || g.count == 0 && step > 0 {
		share := g.quality.scale()
		resolve(share, func() { g.share = share })
	}
	g.poll.look(float32(devices(g.share)))
	g.attend()
	drops(g.o.App)
	g.o.App.Picture(g.canvas, &g.poll.devices, float32(g.w), float32(g.h), dt)
	g.count++
	if g.o.Each != nil {
		g.o.Each()
	}
	return nil
}

// attend handles sound, clipboard, full screen and focus.
func (g *game) attend() {
	if g.speaker != nil {
		if err := g.speaker.problem(); err != nil {
			g.o.App.Note(err)
		}
	}
	if onDesktop {
		g.paste()
		if g.poll.fullscreen() {
			ebiten.SetFullscreen(!ebiten.IsFullscreen())
		}
		g.o.App.SetAway(ebiten.IsWindowMinimized())
	}
}

// paste reads the clipboard in the background, and passes the text to the app.
func (g *game) paste() {
	if g.o.Paste != nil && g.pasted == nil && g.poll.pastes() {
		pasted := make(chan paste, 1)
		g.pasted = pasted
		go func() {
			text, err := g.o.Paste()
			pasted <- paste{text, err}
		}()
	}
	select {
	case p := <-g.pasted: // never, if it is nil
		g.pasted = nil
		if p.err != nil {
			g.o.App.Note(p.err)
			return
		}
		g.o.App.Paste(p.text)
	default:
	}
}

// paste is the content of the clipboard.
type paste struct {
	text string
	err  error
}

// Draw uploads the triangles of the picture.
func (g *game) Draw(screen *ebiten.Image) {
	g.textures.begin()
	o := &ebiten.DrawTrianglesOptions{ColorScaleMode: ebiten.ColorScaleModePremultipliedAlpha}
	g.canvas.Parts(func(indices []uint32, how draw.Cut) {
		target := screen
		if !how.Part.Empty() {
			target = screen.SubImage(how.Part).(*ebiten.Image)
		}
		if o.Filter = ebiten.FilterNearest; how.Text || how.Sheet != nil {
			o.Filter = ebiten.FilterLinear
		}
		g.gather(indices)
		target.DrawTriangles32(g.vertices, g.indices, g.textures.of(g.canvas, how.Sheet), o)
	})
	g.textures.end()
	if g.o.Last != nil && g.count == g.o.Pictures {
		m := image.NewRGBA(screen.Bounds())
		screen.ReadPixels(m.Pix)
		g.o.Last(m)
		g.o.Last = nil
	}
}

// gather collects only the vertices that these indices need: Ebitengine copies all that it gets.
func (g *game) gather(indices []uint32) {
	g.vertices, g.indices = g.vertices[:0], g.indices[:0]
	low, high := indices[0], indices[0]
	for _, i := range indices {
		low, high = min(low, i), max(high, i)
	}
	for i := range g.canvas.Vertices[low : high+1] {
		v := &g.canvas.Vertices[int(low)+i]
		g.vertices = append(g.vertices, ebiten.Vertex{
			DstX: v.X, DstY: v.Y, SrcX: v.U, SrcY: v.V, ColorR: v.R, ColorG: v.G, ColorB: v.B, ColorA: v.A,
		})
	}
	for _, i := range indices {
		g.indices = append(g.indices, i-low)
	}
}

// DrawFinalScreen draws the picture, which may have a lower resolution, on the screen.
func (g *game) DrawFinalScreen(screen ebiten.FinalScreen, picture *ebiten.Image, m ebiten.GeoM) {
	o := &ebiten.DrawImageOptions{GeoM: m, Blend: ebiten.BlendCopy}
	if m != (ebiten.GeoM{}) {
		o.Filter = ebiten.FilterLinear
	}
	screen.DrawImage(picture, o)
}

// LayoutF returns the size of a picture in pixels.
func (g *game) LayoutF(w, h float64) (float64, float64) {
	r := resolution{device: ebiten.Monitor().DeviceScaleFactor(), share: g.share, shrunk: !onDesktop}
	var density float64
	g.w, g.h, density = r.picture(w, h)
	g.poll.devices.Density = float32(density)
	return g.w, g.h
}

// Layout is never called, since there is LayoutF.
func (g *game) Layout(w, h int) (int, int) { return w, h }
