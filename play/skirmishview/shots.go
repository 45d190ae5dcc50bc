package skirmishview

import (
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
)

// drawShots draws arrows and stones. A shot flies straight, and one that has just begun has no earlier state, so each
// is drawn from the newer state, moved back along its path.
func (v *View) drawShots(c *draw.Canvas, w *skirmish.World, sight draw.Box) {
	sight = sight.Inset(-1)
	back := 1 - v.past.share
	for k := range w.Shots.Chunks() {
		pos, vel, load := w.Shots.Pos.Read(k), w.Shots.Vel.Read(k), w.Shots.Load.Read(k)
		for row := range k.Live() {
			at, speed := point(*pos.Ref(row)), point(*vel.Ref(row))
			at = at.Minus(speed.Times(back))
			if !sight.Has(at) {
				continue
			}
			what, right := v.sprites.shared(arrow), speed.Times(1/max(speed.Length(), 1e-4))
			if load.Ref(row).Kind == skirmish.Catapult {
				what, right = v.sprites.shared(stone), draw.Point{X: 1}
			}
			c.Turned(v.sprites.sheet, what, at, right, draw.Point{X: -right.Y, Y: right.X}, white)
		}
	}
}
