package skirmishview

import (
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/world"
)

// Building is a building as it is shown.
type Building struct {
	Entity world.Entity
	Place  skirmish.Place
	Works  skirmish.Works
	// Health is the remaining fraction; 1 if the building cannot be destroyed.
	Health float32
}

// Box returns the cells that it covers.
func (b *Building) Box() draw.Box {
	side := float32(b.Place.Structure.Of().Side)
	return draw.Box{X: float32(b.Place.X), Y: float32(b.Place.Y), W: side, H: side}
}

// Done returns which fraction of it is built: 0 to 1.
func (b *Building) Done() float32 {
	if whole := b.Place.Structure.Of().Work; whole > 0 {
		return 1 - float32(b.Works.Left)/float32(whole)
	}
	return 1
}

// Trained returns which fraction of the training of the first unit in its queue is done: 0 to 1.
func (b *Building) Trained() float32 {
	if b.Works.Queued == 0 {
		return 0
	}
	return min(float32(b.Works.Done)/float32(b.Works.Queue[0].Of().Training), 1)
}

// buildingsOf appends all buildings of a state.
func buildingsOf(to []Building, w *skirmish.World) []Building {
	for e := range w.Buildings.All() {
		b := Building{Entity: e, Health: 1}
		b.Place, _ = w.Buildings.Place.Get(e)
		b.Works, _ = w.Buildings.Works.Get(e)
		if whole := b.Place.Structure.Of().Health; whole > 0 {
			health, _ := w.Buildings.Health.Get(e)
			b.Health = float32(health) / float32(whole)
		}
		to = append(to, b)
	}
	return to
}

// drawBuilding draws a building, its health, and its progress.
func (v *View) drawBuilding(c *draw.Canvas, b *Building) {
	s, box := v.sprites, b.Box()
	col := white
	if b.Works.Left > 0 {
		c.Sprite(s.sheet, s.white(), box, draw.RGB(0x6B5B3C).Alpha(0.75))
		col = white.Alpha(0.3 + 0.5*b.Done())
	}
	const edge = 2.0 / landPixels
	c.Sprite(s.sheet, s.structure(b.Place.Side, b.Place.Structure), box.Inset(-edge), col)
	chosen := v.Chosen == b.Entity && v.Chosen != 0
	if chosen {
		size := box.W * 0.78
		m := box.Centre()
		c.Sprite(s.sheet, s.shared(selectRing), draw.Box{X: m.X - size, Y: m.Y - size, W: 2 * size, H: 2 * size}, look.Green)
	}
	bar := draw.Box{X: box.X + box.W*0.1, Y: box.Y - 0.3, W: box.W * 0.8, H: 0.18}
	if b.Health < 0.999 || chosen {
		drawHealth(c, s, bar, b.Health)
	}
	share := b.Trained()
	if b.Works.Left > 0 {
		share = b.Done()
	}
	if share > 0 && (b.Place.Side == v.Side || b.Works.Left > 0) {
		bar.Y = box.Y + box.H + 0.12
		c.Sprite(s.sheet, s.white(), bar.Inset(-0.04), look.Ink)
		bar.W *= share
		c.Sprite(s.sheet, s.white(), bar, draw.RGB(0x69B7FF))
	}
}
