package skirmish

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world"
	"github.com/tickback/tickback/world/nav"
	"github.com/tickback/tickback/world/near"
)

// stray is a unit whose flow field leads no further from its cell.
type stray struct {
	path uint8
	cell nav.Cell
}

// stray reports to the navigator that a unit is in a cell from which its path does not go on.
func (s *step) stray(at stray) {
	p := s.Paths.Write()
	// An error means that the way has been freed: no unit follows it any more.
	_ = s.memo.nav.ReportOffField(&p.Meter, &p.Ways[at.path-1], at.cell)
}

// fire makes a shot.
func (s *step) fire(f *firing) {
	if s.Shots.Len() >= MaxShots {
		return
	}
	e, err := s.Shots.Spawn()
	if err != nil {
		return // the table has no room for more
	}
	n := fixed.FromInt(int64(f.load.Left))
	d := f.to.Sub(f.from)
	s.Shots.Pos.Set(e, f.from)
	s.Shots.Vel.Set(e, fixed.Vec2{X: d.X.Div(n), Y: d.Y.Div(n)})
	s.Shots.Load.Set(e, f.load)
}

// shots moves all shots, and applies the hits of those that come down.
func (s *step) shots() {
	world.Stage(s, &s.Shots.Table, (*step).fly)
	for e := range s.landings.Drain() {
		pos, _ := s.Shots.Pos.Get(e)
		load, _ := s.Shots.Load.Get(e)
		s.land(pos, load)
		if s.Shots.Kill(e) != nil {
			continue // it came down once already
		}
	}
}

// fly moves the shots of a chunk.
func (s *step) fly(c world.Chunk) {
	pos, load, vel := s.Shots.Pos.Write(c), s.Shots.Load.Write(c), s.Shots.Vel.Read(c)
	for row := range c.Live() {
		p, v := pos.At(row), vel.Ref(row)
		//detlint:ignore fixedwrap a position is on the map and a velocity less than a cell, so that no sum comes near the ends of a Num
		p.X += v.X
		//detlint:ignore fixedwrap a position is on the map and a velocity less than a cell, so that no sum comes near the ends of a Num
		p.Y += v.Y
		l := load.At(row)
		if l.Left--; l.Left == 0 {
			s.landings.Push(c, c.Entity(row))
		}
	}
}

// land applies a shot where it comes down: a stone hits all enemies around, an arrow its target if that is still there.
func (s *step) land(at fixed.Vec2, l Load) {
	r := l.Kind.Of()
	if p, radius, ok := s.target(l.Target); ok && within(p.Sub(at), radius+fixed.One/2+r.Splash) {
		damage := r.Damage
		if s.Buildings.Alive(l.Target) {
			damage = r.Siege
		}
		s.strike(&hit{l.Target, damage, l.Side})
	}
	if r.Splash == 0 {
		return
	}
	var memory [4][]near.Point
	for _, list := range s.memo.crowd.grid.AppendLists(memory[:0], at, r.Splash) {
		for _, b := range list {
			e := s.Units.At(int(b.ID))
			if b.Class() != l.Side && e != l.Target && within(fixed.Vec2{X: fixed.Num(b.X), Y: fixed.Num(b.Y)}.Sub(at), r.Splash) {
				s.strike(&hit{e, r.Damage, l.Side})
			}
		}
	}
}

// strike takes health from a target, and removes it if none is left.
func (s *step) strike(h *hit) {
	if left, ok := s.Units.Health.Get(h.target); ok {
		if left > h.damage {
			s.Units.Health.Set(h.target, left-h.damage)
			return
		}
		who, _ := s.Units.Who.Get(h.target)
		sides := s.Sides.Write()
		sides[h.side].Felled++
		sides[who.Side].Fallen++
		s.kill(h.target)
		return
	}
	if left, ok := s.Buildings.Health.Get(h.target); ok && left > 0 {
		if left > h.damage {
			s.Buildings.Health.Set(h.target, left-h.damage)
			return
		}
		if !repairKeep(s, h.target) {
			s.fell(h.target)
		}
	}
}
