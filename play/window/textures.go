//go:build js || desktop

package window

import (
	"github.com/hajimehoshi/ebiten/v2"

	"github.com/tickback/tickback/play/draw"
)

// textures are the textures of canvases: those of their atlases and of sheets. The texture of a sheet that is no
// longer drawn is released.
type textures struct {
	atlas  *ebiten.Image
	sheets map[*draw.Sheet]*texture
	count  int // the number of pictures so far
}

// texture is a sheet on the graphics processor.
type texture struct {
	image *ebiten.Image
	used  int // the picture in which it was last drawn
}

// keepUnused is the number of pictures for which the texture of a sheet that is not drawn is kept: two seconds.
const keepUnused = 120

func (t *textures) begin() {
	t.count++
	if t.atlas == nil {
		t.atlas, t.sheets = ebiten.NewImage(draw.AtlasSize, draw.AtlasSize), map[*draw.Sheet]*texture{}
	}
}

// of returns the texture of a sheet, or of the atlas of the canvas, up to date.
func (t *textures) of(c *draw.Canvas, s *draw.Sheet) *ebiten.Image {
	if s == nil {
		if c.Atlas.Changed {
			t.atlas.WritePixels(c.Atlas.Image.Pix)
			c.Atlas.Changed = false
		}
		return t.atlas
	}
	x := t.sheets[s]
	if x == nil {
		size := s.Image.Rect.Size()
		x = &texture{image: ebiten.NewImage(size.X, size.Y)}
		t.sheets[s] = x
		s.Changed = true
	}
	if x.used = t.count; s.Changed {
		x.image.WritePixels(s.Image.Pix)
		s.Changed = false
	}
	return x.image
}

// end releases textures that were not used for a while.
func (t *textures) end() {
	for s, x := range t.sheets {
		if t.count-x.used > keepUnused {
			x.image.Deallocate()
			delete(t.sheets, s)
		}
	}
}
