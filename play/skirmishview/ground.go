package skirmishview

import (
	"image/color"

	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
)

// ground is the map as a picture, painted once, and the trees on it.
type ground struct {
	sheet *draw.Sheet
	size  int
	cells []skirmish.Ground
	trees []draw.Point // row by row
	rows  []int32      // the index of the first tree of each row of cells, and the number of all trees
}

// newGround paints the ground of a world.
func newGround(w *skirmish.World) *ground {
	size, _ := w.Ground.Size()
	g := &ground{size: size, cells: make([]skirmish.Ground, size*size)}
	for i := range g.cells {
		g.cells[i] = w.Ground.At(i%size, i/size)
	}
	g.grow()
	g.sheet = PaintGround(size, min(max(1536/size, 4), 16), g.at)
	return g
}

// at returns the ground of a cell, or of the nearest one for a cell outside of the map.
func (g *ground) at(x, y int) skirmish.Ground {
	x, y = min(max(x, 0), g.size-1), min(max(y, 0), g.size-1)
	return g.cells[y*g.size+x]
}

// grow puts a tree, or two, on each cell of wood.
func (g *ground) grow() {
	for y := range g.size {
		g.rows = append(g.rows, int32(len(g.trees)))
		for x := range g.size {
			if g.at(x, y) != skirmish.Wood {
				continue
			}
			for n := range 1 + scatter(x, y, 0)%2 {
				at := draw.Point{X: float32(scatter(x, y, 2*n+1)) / 256, Y: float32(scatter(x, y, 2*n+2)) / 256}
				g.trees = append(g.trees, at.Plus(draw.Point{X: float32(x), Y: float32(y)}))
			}
		}
	}
	g.rows = append(g.rows, int32(len(g.trees)))
}

// scatter returns a number from 0 to 255 that looks random, for the presentation only.
func scatter(x, y, n int) int {
	h := uint32(x)*0x9E3779B1 ^ uint32(y)*0x85EBCA6B ^ uint32(n)*0xC2B2AE35
	h = (h ^ h>>15) * 0x2C1B3C6D
	return int(h >> 11 & 255)
}

// leastTrees is the minimum size of a cell at which trees are drawn one by one; below it the colour of the ground
// suffices.
const leastTrees = 11

// draw draws the map, and the trees that are in sight.
func (g *ground) draw(c *draw.Canvas, s *sprites, sight draw.Box, zoom float32) {
	size := float32(g.size)
	c.Sprite(g.sheet, g.sheet.Box(), draw.Box{W: size, H: size}, white)
	if zoom < leastTrees {
		return
	}
	from, to := max(int(sight.Y)-1, 0), min(int(sight.Y+sight.H)+2, g.size)
	if from >= to {
		return
	}
	for i, at := range g.trees[g.rows[from]:g.rows[to]] {
		if at.X > sight.X-1 && at.X < sight.X+sight.W+1 {
			r := 0.8 + 0.25*float32(i%5)/4
			c.Sprite(s.sheet, s.shared(tree+i%treeKinds), draw.Box{X: at.X - r, Y: at.Y - r, W: 2 * r, H: 2 * r}, white)
		}
	}
}

// soils are the colours of the kinds of ground, in hundredths of a brightness that varies.
var soils = [...][3]int{
	skirmish.Grass: {86, 122, 66},
	skirmish.Wood:  {58, 88, 52},
	skirmish.Rock:  {112, 109, 112},
	skirmish.Water: {44, 86, 128},
}

// PaintGround paints a map with this many pixels per cell. Borders are uneven, as in nature; shores and cliffs have
// light and shade.
func PaintGround(size, pixels int, at func(x, y int) skirmish.Ground) *draw.Sheet {
	s := draw.NewSheet(size*pixels, size*pixels)
	n := newGrain()
	side := size * pixels
	step := 256 / pixels // the size of a pixel, in 256ths of a cell
	// The kinds of all places are determined first, since light and shade compare neighbours.
	kinds := make([]skirmish.Ground, side*side)
	for py := range side {
		for px := range side {
			x, y := px*step+step/2, py*step+step/2
			x, y = x+n.at(x, y), y+n.at(y+7777, x+3333)
			kinds[py*side+px] = at(x>>8, y>>8)
		}
	}
	shift := max(pixels/4, 1)
	for py := range side {
		row := s.Image.Pix[py*s.Image.Stride:]
		for px := range side {
			k := kinds[py*side+px]
			above, below := kinds[max(py-shift, 0)*side+max(px-shift, 0)], kinds[min(py+shift, side-1)*side+min(px+shift, side-1)]
			p := soil(k, above, below, 100+n.at(px*29, py*29)/11+scatter(px, py, 0)%9-4)
			row[px*4], row[px*4+1], row[px*4+2], row[px*4+3] = p.R, p.G, p.B, p.A
		}
	}
	return s
}

// soil returns the colour of a place, given the kinds above it to the left and below it to the right.
func soil(k, above, below skirmish.Ground, bright int) color.RGBA {
	rgb := soils[k]
	switch {
	case k == skirmish.Rock && above != k:
		bright += 32
	case k == skirmish.Rock && below != k:
		bright -= 34
	case k == skirmish.Water && (above != k || below != k):
		rgb = [3]int{78, 128, 150}
	case k != skirmish.Water && k != skirmish.Rock && above == skirmish.Rock:
		bright -= 30 // the shadow of a cliff
	case k == skirmish.Grass && (above == skirmish.Water || below == skirmish.Water):
		rgb = [3]int{150, 142, 98}
	}
	part := func(v int) uint8 { return uint8(min(max(v*bright/100, 0), 255)) }
	return color.RGBA{part(rgb[0]), part(rgb[1]), part(rgb[2]), 255}
}

// grain is smooth noise, from about -100 to 100.
type grain struct{ corners [32 * 32]int16 }

func newGrain() *grain {
	g := new(grain)
	for i := range g.corners {
		g.corners[i] = int16(scatter(i%32, i/32, 5)-128) * 4 / 5
	}
	return g
}

// at returns the noise at a place, in 256ths of a cell.
func (g *grain) at(x, y int) int {
	i, j, fx, fy := x>>8, y>>8, x&255, y&255
	c := func(i, j int) int { return int(g.corners[j&31*32+i&31]) }
	top := c(i, j)*(256-fx) + c(i+1, j)*fx
	bottom := c(i, j+1)*(256-fx) + c(i+1, j+1)*fx
	return (top*(256-fy) + bottom*fy) >> 16
}
