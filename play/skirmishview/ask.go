package skirmishview

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/world"
)

// Tally returns the totals of the newest state. It belongs to the view: do not change it.
func (v *View) Tally() *Tally { return &v.tally }

// Units returns all units as they are shown. The slice is valid until the next [View.Advance].
func (v *View) Units() []Unit { return v.crowd.shown }

// Buildings returns all buildings. The slice is valid until the next [View.Advance].
func (v *View) Buildings() []Building { return v.buildings }

// Building returns a building, or false if it does not exist any more.
func (v *View) Building(e world.Entity) (Building, bool) {
	for i := range v.buildings {
		if v.buildings[i].Entity == e && e != 0 {
			return v.buildings[i], true
		}
	}
	return Building{}, false
}

// BuildingAt returns the building at a place.
func (v *View) BuildingAt(at draw.Point) (Building, bool) {
	for i := range v.buildings {
		if v.buildings[i].Box().Has(at) {
			return v.buildings[i], true
		}
	}
	return Building{}, false
}

// UnitAt returns the unit nearest to a place, of those within reach for which fit returns true.
func (v *View) UnitAt(at draw.Point, reach float32, fit func(u *Unit) bool) (u Unit, ok bool) {
	best := reach
	for i := range v.crowd.shown {
		s := &v.crowd.shown[i]
		if d := s.At.Minus(at).Length() - number(s.Kind.Of().Radius); d < best && fit(s) {
			u, ok, best = *s, true, d
		}
	}
	return u, ok
}

// Pos returns where a unit really is in the newest state, and how far it moves in a tick. ok is false if it does not
// exist any more.
func (v *View) Pos(e world.Entity) (at, vel fixed.Vec2, ok bool) {
	if v.past.now == nil {
		return at, vel, false
	}
	_, now := v.past.states()
	at, ok = now.Units.Pos.Get(e)
	vel, _ = now.Units.Vel.Get(e)
	return at, vel, ok
}

// Free reports whether a building would fit there: on open ground, without units on it. The rules decide whether its
// side may build there.
func (v *View) Free(what skirmish.Structure, x, y int) bool {
	if v.ground == nil {
		return false
	}
	side := what.Of().Side
	box := draw.Box{X: float32(x), Y: float32(y), W: float32(side), H: float32(side)}
	for dy := range side {
		for dx := range side {
			if cx, cy := x+dx, y+dy; min(cx, cy) < 0 || max(cx, cy) >= v.ground.size || !v.ground.at(cx, cy).Open() {
				return false
			}
		}
	}
	for i := range v.buildings {
		if overlaps(v.buildings[i].Box(), box) {
			return false
		}
	}
	around := box.Inset(-0.5)
	for i := range v.crowd.shown {
		if around.Has(v.crowd.shown[i].At) {
			return false
		}
	}
	return true
}

// MapSize returns how many cells the map has along each side; 0 before the first state.
func (v *View) MapSize() float32 { return v.Camera.size }

// DrawUnit draws a unit of the player whose view it is into a box, for panels.
func (v *View) DrawUnit(c *draw.Canvas, k skirmish.Kind, b draw.Box) {
	if v.sprites != nil && int(v.Side) < v.sprites.sides {
		c.Sprite(v.sprites.sheet, v.sprites.unit(v.Side, k, 0), b, white)
	}
}

// DrawBuilding draws a building of a side into a box, for panels and plans.
func (v *View) DrawBuilding(c *draw.Canvas, side uint8, s skirmish.Structure, b draw.Box, col draw.Color) {
	if v.sprites != nil {
		c.Sprite(v.sprites.sheet, v.sprites.structure(side, s), b, col)
	}
}

// DrawGold draws a piece of gold into a box.
func (v *View) DrawGold(c *draw.Canvas, b draw.Box) {
	if v.sprites != nil {
		c.Sprite(v.sprites.sheet, v.sprites.shared(gem), b, white)
	}
}
