package main

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// colors are those of the libraries, in their order. They differ in lightness, too.
var colors = []color.RGBA{
	{0x1b, 0x6e, 0xc2, 0xff}, {0xd9, 0x5f, 0x02, 0xff}, {0x2c, 0xa0, 0x4c, 0xff}, {0x6a, 0x3d, 0x9a, 0xff},
}

// shapes are their marks.
var shapes = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}}

// picture is a plot: a value over the number of players, for each library.
type picture struct {
	file, title, axis string
	row               string // with %d for the number of players
	value             string
	scale             float64
}

// pictures are those of the page.
var pictures = []picture{
	{"peers-frame.svg", "A frame of a peer, RTT 100 ms", "us of processor time", "frame/%d/100", "time", 1e-3},
	{"peers-bytes.svg", "What a peer sends, RTT 100 ms", "KB in a second", "frame/%d/100", "bytes", 1e-3},
}

// writePlots writes the pictures into docs/images.
func writePlots(root string, r *results) error {
	for _, p := range pictures {
		if err := p.write(filepath.Join(root, "docs", "images", p.file), r); err != nil {
			return fmt.Errorf("%s: %w", p.file, err)
		}
	}
	return nil
}

// maxPlot is how large a picture may be, in bytes.
const maxPlot = 64 << 10

func (p picture) write(path string, r *results) error {
	pl := plot.New()
	pl.Title.Text, pl.X.Label.Text, pl.Y.Label.Text = p.title, "players", p.axis
	pl.X.Scale, pl.Y.Scale = plot.LogScale{}, plot.LogScale{}
	pl.X.Tick.Marker = powers{2, 2, 16}
	pl.X.Min, pl.X.Max = 1.9, 17.5 // with room for the label of the last mark
	pl.Legend.Top, pl.Legend.Left = true, true
	pl.Legend.XOffs, pl.Legend.YOffs = vg.Points(6), -vg.Points(4)
	pl.Title.Padding = vg.Points(6)
	low, high := math.Inf(1), 0.0
	for i, l := range r.libraries {
		var points plotter.XYs
		for _, n := range []int{2, 4, 8, 16} {
			if v := r.values(fmt.Sprintf(p.row, n), l, p.value); len(v) > 0 {
				y := median(v) * p.scale
				points = append(points, plotter.XY{X: float64(n), Y: y})
				low, high = min(low, y), max(high, y)
			}
		}
		if len(points) == 0 || l.world {
			continue
		}
		line, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			return err
		}
		line.Color, line.Width = colors[i%len(colors)], vg.Points(1.5)
		marks.Color, marks.Shape, marks.Radius = line.Color, shapes[i%len(shapes)], vg.Points(3)
		pl.Add(line, marks)
		pl.Legend.Add(l.name, line, marks)
	}
	if high == 0 {
		return fmt.Errorf("there is nothing to show")
	}
	pl.Y.Min, pl.Y.Max = math.Pow(2, math.Floor(math.Log2(low))), math.Pow(2, 2+math.Ceil(math.Log2(high))) // the legend is above the lines
	pl.Y.Tick.Marker = powers{2, pl.Y.Min, pl.Y.Max}
	pl.Add(plotter.NewGrid())
	pl.BackgroundColor = color.White
	w, err := pl.WriterTo(14*vg.Centimeter, 9*vg.Centimeter, "svg")
	if err != nil {
		return err
	}
	var b strings.Builder
	if _, err := w.WriteTo(&b); err != nil {
		return err
	}
	if b.Len() > maxPlot {
		return fmt.Errorf("it has %d bytes, more than %d", b.Len(), maxPlot)
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// powers marks the powers of a base from one number to another one.
type powers struct{ base, from, to float64 }

// Ticks implements plot.Ticker.
func (p powers) Ticks(_, _ float64) (ticks []plot.Tick) {
	for v := p.from; v <= p.to*1.001; v *= p.base {
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%g", v)})
	}
	return ticks
}
