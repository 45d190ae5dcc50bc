package skirmish

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/world"
	"github.com/tickback/tickback/world/nav"
)

// orders carries out the players' orders, player by player, in the order in which they were given. Bytes that
// are not an order, and orders that the state does not allow, do nothing.
func (s *step) orders() {
	// A proposal, or a state, may have more players than there are.
	for p := range min(rollback.Player(s.Match.Get().Players), s.t.Players()) {
		b := s.t.Orders(p)
		if s.t.Status(p) == rollback.Disconnected {
			b = s.standIn(p)
		}
		for len(b) > 0 {
			o, rest, err := ConsumeOrder(b)
			if err != nil || s.Sides.Get()[p].Lost {
				break
			}
			s.order(uint8(p), &o)
			b = rest
		}
	}
}

// order carries out an order.
func (s *step) order(side uint8, o *Order) {
	switch o.Verb {
	case Select, Extend:
		s.choose(side, o)
	case Copy:
		copyGroup(s, side, o)
	case Move, March:
		s.send(side, o.Group, Task{Verb: o.Verb, Goal: o.At}, o.At.Vec())
	case Strike:
		if at, _, ok := s.target(o.Target); ok && s.isFoe(side, o.Target) {
			s.send(side, o.Group, Task{Verb: Strike, Target: o.Target, Goal: SpotOf(at)}, at)
		}
	case Halt:
		s.members(side, o.Group, func(c world.Chunk, row int) {
			*s.Units.Task.Write(c).At(row) = Task{}
			s.Units.Aim.Write(c).At(row).Target = 0
		})
	case Train, Cancel, Rally:
		s.work(side, o)
	case Build:
		s.build(side, o.Plan, o.At)
	case Resign:
		if !s.Endless() {
			s.lose(side)
		}
	}
}

// choose puts the units in a rectangle into a group.
func (s *step) choose(side uint8, o *Order) {
	a, b := o.At.Vec(), o.To.Vec()
	lowX, highX := min(a.X, b.X), max(a.X, b.X)
	lowY, highY := min(a.Y, b.Y), max(a.Y, b.Y)
	bit := uint16(1) << o.Group
	for c := range s.Units.Chunks() {
		pos, task := s.Units.Pos.Read(c), s.Units.Task.Read(c)
		for row := range c.Live() {
			u := s.Units.Who.Read(c).At(row) // each time, since the loop writes there
			if u.Side != side {
				continue
			}
			at := pos.At(row)
			in := at.X >= lowX && at.X <= highX && at.Y >= lowY && at.Y <= highY &&
				o.Only.takes(u.Kind) && (o.Only&OnlyIdle == 0 || task.At(row).Verb == 0)
			s.setGroup(c, row, bit, in, o.Verb == Extend)
		}
	}
}

// copyGroup puts the units of one group into another one.
func copyGroup(s *step, side uint8, o *Order) {
	for c := range s.Units.Chunks() {
		for row := range c.Live() {
			if u := s.Units.Who.Read(c).At(row); u.Side == side {
				s.setGroup(c, row, 1<<o.Group, u.Groups>>o.Other&1 != 0, false)
			}
		}
	}
}

// setGroup puts a unit into a group if in is set. Otherwise it takes the unit out, unless stay is set.
func (s *step) setGroup(c world.Chunk, row int, bit uint16, in, stay bool) {
	had := s.Units.Who.Read(c).At(row).Groups&bit != 0
	switch {
	case in && !had:
		s.Units.Who.Write(c).At(row).Groups |= bit
	case !in && had && !stay:
		s.Units.Who.Write(c).At(row).Groups &^= bit
	}
}

// members calls do for each unit of a group.
func (s *step) members(side, group uint8, do func(c world.Chunk, row int)) {
	for c := range s.Units.Chunks() {
		for row := range c.Live() {
			if u := s.Units.Who.Read(c).At(row); u.Side == side && u.Groups>>group&1 != 0 {
				do(c, row)
			}
		}
	}
}

// send sends a group to a place, on a new way that all its units follow.
func (s *step) send(side, group uint8, task Task, to fixed.Vec2) {
	starts := s.memo.starts[:0]
	s.members(side, group, func(c world.Chunk, row int) {
		starts = append(starts, nav.CellOf(s.Units.Pos.Read(c).At(row)))
	})
	s.memo.starts = starts
	if len(starts) == 0 {
		return
	}
	goal := s.inside(to)
	task.Path = s.ask(goal, starts)
	task.Near = crowd(len(starts))
	if task.Verb != Strike {
		task.Goal = SpotOf(goal.Centre())
	}
	s.members(side, group, func(c world.Chunk, row int) {
		*s.Units.Task.Write(c).At(row) = task
		s.Units.Aim.Write(c).At(row).Target = 0
	})
}

// inside returns the cell of a position, or the nearest one on the map.
func (s *step) inside(p fixed.Vec2) nav.Cell {
	width, height := s.Costs.Size()
	return nav.CellAt(int(min(max(p.X.Int(), 0), int64(width-1))), int(min(max(p.Y.Int(), 0), int64(height-1))))
}

// crowd returns how far from its goal a group of a given size may stop, in quarters of a cell: the
// radius of a disc that has room for all.
func crowd(units int) uint8 {
	n := (2 * fixed.Sqrt(fixed.FromInt(int64(units)))).Int() // radius about 0.5 sqrt(n) cells
	return uint8(min(n, 255))
}

// target returns the middle of a unit or building, if it exists, and its radius.
func (s *World) target(e world.Entity) (at fixed.Vec2, radius fixed.Num, ok bool) {
	if at, ok = s.Units.Pos.Get(e); ok {
		w, _ := s.Units.Who.Get(e)
		return at, w.Kind.Of().Radius, true
	}
	if place, ok := s.Buildings.Place.Get(e); ok {
		return place.Centre(), fixed.FromInt(int64(place.Structure.Of().Side)) / 2, true
	}
	return at, 0, false
}

// isFoe reports whether a side can attack a target: a unit or a building of another side, but not a
// mine.
func (s *World) isFoe(side uint8, e world.Entity) bool {
	if w, ok := s.Units.Who.Get(e); ok {
		return w.Side != side
	}
	place, ok := s.Buildings.Place.Get(e)
	return ok && place.Structure != Mine && place.Side != side
}
