package skirmishview

import (
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
)

// The layout of the sheet of sprites, in pixels: a row for each side and one for mines, which belong to nobody, with
// the units in their poses first, then the buildings; and a row that all share.
const (
	unitPixels = 32 // pixels per cell, for a unit
	unitFrame  = 64 // the width and height of a unit's frame, in pixels
	poses      = 2
	landPixels = 30 // pixels per cell, for a building
	rowHeight  = 128
	sheetWidth = 1024
	unitsWidth = skirmish.Kinds * poses * unitFrame
)

// sprites is the sheet of everything that occurs many times.
type sprites struct {
	sheet   *draw.Sheet
	sides   int
	palette *look.Palette
}

// structureAt is the position of a building in its row, by structure.
var structureAt = [skirmish.Structures + 1]float32{0, unitsWidth, unitsWidth + 126, unitsWidth + 222, unitsWidth + 258}

// newSprites paints the sheet for a match of this many sides.
func newSprites(l *look.Look, sides int) *sprites {
	s := &sprites{sheet: draw.NewSheet(sheetWidth, rowHeight*(sides+2)), sides: sides, palette: l.Palette}
	c := draw.NewCanvas(draw.NewAtlas())
	for side := range sides + 1 {
		col := draw.RGB(0xB9B4A6)
		if side < sides {
			col = l.Player(side)
		}
		s.paintUnits(c, side, col)
		for b := skirmish.Keep; b <= skirmish.Mine; b++ {
			box := s.structure(uint8(side), b)
			within(c, box.Centre(), landPixels, func() { paintStructure(c, b, col, side < sides) })
		}
	}
	for i := range shared {
		within(c, s.shared(i).Centre(), unitPixels, func() { paintShared(c, i) })
	}
	draw.Paint(s.sheet.Image, c)
	return s
}

func (s *sprites) paintUnits(c *draw.Canvas, side int, col draw.Color) {
	if side == s.sides {
		return // nobody has no units
	}
	for k := skirmish.Spearman; k <= skirmish.Catapult; k++ {
		for pose := range poses {
			within(c, s.unit(uint8(side), k, pose).Centre(), unitPixels, func() { paintUnit(c, k, pose, col) })
		}
	}
}

// within draws around a point, with this many pixels per cell.
func within(c *draw.Canvas, at draw.Point, scale float32, paint func()) {
	c.Push()
	defer c.Pop()
	c.Translate(at.X, at.Y)
	c.Scale(scale, scale)
	paint()
}

// unit returns the frame of a unit, which faces right: 2 × 2 cells.
func (s *sprites) unit(side uint8, k skirmish.Kind, pose int) draw.Box {
	return draw.Box{X: float32((int(k)-1)*poses+pose) * unitFrame, Y: float32(side) * rowHeight, W: unitFrame, H: unitFrame}
}

// structure returns the frame of a building: the cells that it covers, and a border of 2 pixels.
func (s *sprites) structure(side uint8, b skirmish.Structure) draw.Box {
	if int(side) >= s.sides {
		side = uint8(s.sides)
	}
	size := float32(b.Of().Side)*landPixels + 4
	return draw.Box{X: structureAt[b], Y: float32(side) * rowHeight, W: size, H: size}
}

// The sprites that all sides share, each in a frame of 2 × 2 cells.
const (
	plainWhite = iota
	selectRing
	arrow
	stone
	tree
	bush = tree + treeKinds - 1
	gem  = bush + 1
	// shared is the number of sprites that all sides share.
	shared    = gem + 1
	treeKinds = 3
)

func (s *sprites) shared(i int) draw.Box {
	return draw.Box{X: float32(i) * unitFrame, Y: float32(s.sides+1) * rowHeight, W: unitFrame, H: unitFrame}
}

// white returns a part of the sheet that is white, for bars and dots among sprites.
func (s *sprites) white() draw.Box {
	b := s.shared(plainWhite).Centre()
	return draw.Box{X: b.X - 2, Y: b.Y - 2, W: 4, H: 4}
}
