package skirmishview

import (
	"math"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/world"
)

// Unit is a unit as it is shown.
type Unit struct {
	Entity world.Entity
	At     draw.Point // between both snapshots
	Groups uint16
	Side   uint8
	Kind   skirmish.Kind
	Idle   bool
	// Health is the remaining fraction.
	Health float32

	face  draw.Point // its direction, of length 1
	swing float32    // how far it leans forward, for a blow
	pose  uint8
	hurt  bool
}

// figure is the part of a unit's presentation that lasts from picture to picture.
type figure struct {
	entity world.Entity
	face   draw.Point
}

// crowd has all units as they are shown in a picture.
type crowd struct {
	shown   []Unit
	figures []figure      // by row
	before  []world.Chunk // the chunks of the earlier snapshot, by number
}

func number(n fixed.Num) float32 { return float32(n.FloatForDrawing()) }

func point(v fixed.Vec2) draw.Point { return draw.Point{X: number(v.X), Y: number(v.Y)} }

// gather computes where all units are shown: at a fraction of the way from one state to the next.
func (r *crowd) gather(before, now *skirmish.World, share, dt float32) {
	r.shown, r.before = r.shown[:0], r.before[:0]
	for c := range before.Units.Chunks() {
		for len(r.before) < c.First()/world.Rows {
			r.before = append(r.before, world.Chunk{})
		}
		r.before = append(r.before, c)
	}
	turn := 1 - float32(math.Exp(float64(-14*dt)))
	frame := int(now.Match.Get().Frame)
	for c := range now.Units.Chunks() {
		var was world.Chunk
		if n := c.First() / world.Rows; n < len(r.before) {
			was = r.before[n]
		}
		r.gatherChunk(before, now, was, c, share, turn, frame)
	}
}

func (r *crowd) gatherChunk(before, now *skirmish.World, was, c world.Chunk, share, turn float32, frame int) {
	u := &now.Units
	pos, vel, health, who, task, aim := u.Pos.Read(c), u.Vel.Read(c), u.Health.Read(c), u.Who.Read(c), u.Task.Read(c), u.Aim.Read(c)
	var oldPos world.Values[fixed.Vec2]
	var oldHealth world.Values[fixed.Num]
	if was.Len() > 0 {
		oldPos, oldHealth = before.Units.Pos.Read(was), before.Units.Health.Read(was)
	}
	for len(r.figures) < c.First()+world.Rows {
		r.figures = append(r.figures, figure{})
	}
	for row := range c.Live() {
		w, a := who.Ref(row), aim.Ref(row)
		rules := w.Kind.Of()
		s := Unit{
			Entity: c.Entity(row), At: point(*pos.Ref(row)), Groups: w.Groups, Side: w.Side, Kind: w.Kind,
			Idle: task.Ref(row).Verb == 0, Health: float32(*health.Ref(row)) / float32(rules.Health),
		}
		if was.Has(row) && was.Entity(row) == s.Entity {
			s.At = point(*oldPos.Ref(row)).Toward(s.At, share)
			s.hurt = *oldHealth.Ref(row) > *health.Ref(row)
		}
		f := &r.figures[c.First()+row]
		f.look(&s, point(*vel.Ref(row)), turn)
		s.swing = swing(number(rules.Cooldown), number(a.Cooldown)-share)
		switch {
		case w.Kind == skirmish.Catapult:
			if number(rules.Cooldown-a.Cooldown) < 20 && a.Cooldown > 0 {
				s.pose = 1
			}
			s.swing = 0
		case *vel.Ref(row) != (fixed.Vec2{}):
			s.pose = uint8((frame/5 + row) & 1)
		}
		r.shown = append(r.shown, s)
	}
}

// look turns the figure in the direction in which its unit goes.
func (f *figure) look(s *Unit, vel draw.Point, turn float32) {
	if f.entity != s.Entity {
		*f = figure{s.Entity, draw.Point{X: 1}}
		if s.At.X > 0 && s.Entity.Row()&1 == 1 {
			f.face.X = -1
		}
	}
	const still = 0.012
	if l := vel.Length(); l > still {
		to := f.face.Toward(vel.Times(1/l), turn)
		if l := to.Length(); l > 0.05 {
			f.face = to.Times(1 / l)
		} else {
			f.face = vel.Times(1 / vel.Length())
		}
	}
	s.face = f.face
}

// swingTicks is how long a blow is shown.
const swingTicks = 8

// swing returns how far a unit that has struck or shot leans forward.
func swing(cooldown, left float32) float32 {
	if t := (cooldown - left) / swingTicks; left > 0 && t >= 0 && t < 1 {
		return look.Sin(t*math.Pi) * 0.22
	}
	return 0
}

// draw draws the visible units: rings of the selected ones, all units, and the health of the selected and the hurt.
func (r *crowd) draw(c *draw.Canvas, s *sprites, sight draw.Box, zoom float32, side uint8) {
	sight = sight.Inset(-1.5)
	ring := s.shared(selectRing)
	for i := range r.shown {
		if u := &r.shown[i]; u.Side == side && u.Groups&1 != 0 && sight.Has(u.At) {
			size := number(u.Kind.Of().Radius) * 1.45
			c.Sprite(s.sheet, ring, draw.Box{X: u.At.X - size, Y: u.At.Y - size, W: 2 * size, H: 2 * size}, look.Green)
		}
	}
	// Distant figures are drawn larger than they are, so that they can be seen.
	grow := max(1, 9/max(zoom, 1))
	for i := range r.shown {
		u := &r.shown[i]
		if !sight.Has(u.At) {
			continue
		}
		col := white
		if u.hurt {
			col = draw.Color{R: 1, G: 0.45, B: 0.4, A: 1}
		}
		right := u.face.Times(grow)
		c.Turned(s.sheet, s.unit(u.Side, u.Kind, int(u.pose)), u.At.Plus(u.face.Times(u.swing)), right, draw.Point{X: -right.Y, Y: right.X}, col)
	}
	if zoom < leastTrees {
		return
	}
	for i := range r.shown {
		if u := &r.shown[i]; (u.Groups&1 != 0 && u.Side == side || u.Health < 0.35) && sight.Has(u.At) {
			at := draw.Box{X: u.At.X - 0.4, Y: u.At.Y - number(u.Kind.Of().Radius) - 0.32, W: 0.8, H: 0.13}
			drawHealth(c, s, at, u.Health)
		}
	}
}

// drawHealth draws a bar with two sprites, so that it stays in the batch.
func drawHealth(c *draw.Canvas, s *sprites, b draw.Box, share float32) {
	col := look.Green
	switch {
	case share < 0.35:
		col = look.Red
	case share < 0.7:
		col = look.Gold
	}
	c.Sprite(s.sheet, s.white(), b.Inset(-0.04), look.Ink)
	b.W *= min(max(share, 0), 1)
	c.Sprite(s.sheet, s.white(), b, col)
}
