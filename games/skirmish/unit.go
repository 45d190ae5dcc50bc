package skirmish

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world"
	"github.com/tickback/tickback/world/nav"
)

// hit is damage that is done in a tick.
type hit struct {
	target world.Entity
	damage fixed.Num
	side   uint8 // the side that has done it
}

// firing is a shot that leaves a unit.
type firing struct {
	from, to fixed.Vec2
	load     Load
}

// steerEvery is the number of ticks between two decisions of a unit about where to go. Half of the units decide in each tick; the
// others continue as before.
const steerEvery = 2

// units makes all units act: in parallel, each by the positions at the beginning of the tick. Their effects on others
// are applied afterwards, in the order of the units.
func (s *step) units() {
	s.crowd()
	s.memo.stand(s.World)
	world.Stage(s, &s.Units.Table, (*step).act)
	for f := range s.firings.Drain() {
		s.fire(&f)
	}
	for h := range s.hits.Drain() {
		s.strike(&h)
	}
	for spot := range s.strays.Drain() {
		s.stray(spot)
	}
}

// actor is a unit in the tick that is being computed, with what it needs to act.
type actor struct {
	*step
	chunk world.Chunk
	row   int
	frame uint32
	rules *Rules

	pos, vel fixed.Vec2
	who      Who
	task     Task
	aim      Aim
}

// act makes the units of a chunk act. Only columns in which something changes are written.
func (s *step) act(c world.Chunk) {
	pos, vel, who, task, aim := s.Units.Pos.Read(c), s.Units.Vel.Read(c), s.Units.Who.Read(c), s.Units.Task.Read(c), s.Units.Aim.Read(c)
	var (
		newPos, newVel world.Cells[fixed.Vec2]
		newTask        world.Cells[Task]
		newAim         world.Cells[Aim]
		wrote          [4]bool
	)
	a := actor{step: s, chunk: c, frame: s.Match.Get().Frame}
	for row := range c.Live() {
		a.row, a.pos, a.vel, a.who, a.task, a.aim = row, pos.At(row), vel.At(row), who.At(row), task.At(row), aim.At(row)
		oldPos, oldVel, oldTask, oldAim := a.pos, a.vel, a.task, a.aim
		a.rules = a.who.Kind.Of()
		a.act()
		if a.pos != oldPos {
			if !wrote[0] {
				newPos, wrote[0] = s.Units.Pos.Write(c), true
				pos = s.Units.Pos.Read(c)
			}
			*newPos.At(row) = a.pos
		}
		if a.vel != oldVel {
			if !wrote[1] {
				newVel, wrote[1] = s.Units.Vel.Write(c), true
				vel = s.Units.Vel.Read(c)
			}
			*newVel.At(row) = a.vel
		}
		if a.task != oldTask {
			if !wrote[2] {
				newTask, wrote[2] = s.Units.Task.Write(c), true
				task = s.Units.Task.Read(c)
			}
			*newTask.At(row) = a.task
		}
		if a.aim != oldAim {
			if !wrote[3] {
				newAim, wrote[3] = s.Units.Aim.Write(c), true
				aim = s.Units.Aim.Read(c)
			}
			*newAim.At(row) = a.aim
		}
	}
}

// act decides what the unit does in this tick, and moves it.
func (a *actor) act() {
	if a.aim.Cooldown > 0 {
		a.aim.Cooldown -= fixed.One
	}
	at, seen := a.look()
	if seen == inRange {
		a.attack(at)
	}
	if !a.turn(steerEvery) {
		a.advance(a.vel)
		return
	}
	switch seen {
	case inRange:
		a.stand()
	case inSight:
		u := a.body(at.Sub(a.pos).Normalise())
		a.move(&u)
	case beyond:
		a.walk(at.Sub(a.pos))
	default:
		a.walk(a.task.Goal.Vec().Sub(a.pos))
	}
}

// attack strikes or shoots, if the unit is ready to.
func (a *actor) attack(at fixed.Vec2) {
	if a.aim.Cooldown > 0 {
		return
	}
	a.aim.Cooldown = a.rules.Cooldown
	if a.rules.Shot == 0 {
		damage := a.rules.Damage
		if a.Buildings.Alive(a.aim.Target) {
			damage = a.rules.Siege
		}
		a.hits.Push(a.chunk, hit{a.aim.Target, damage, a.who.Side})
		return
	}
	ticks := at.Distance(a.pos).Div(a.rules.Shot).Int() + 1
	a.firings.Push(a.chunk, firing{a.pos, at, Load{Target: a.aim.Target, Left: uint16(min(ticks, 1<<15)), Side: a.who.Side, Kind: a.who.Kind}})
}

// walk moves the unit by its task, to a target at this distance, and ends a task that is done. A unit that is ordered
// to attack continues as long as its target exists.
func (a *actor) walk(to fixed.Vec2) {
	arrives := a.task.Verb != Strike
	if a.task.Verb == 0 {
		a.stand()
		return
	}
	if arrives && within(to, a.task.radius()+fixed.Half) {
		a.rest()
		return
	}
	direction, end := a.lead(to)
	if arrives && end {
		a.rest()
		return
	}
	u := a.body(direction)
	if arrives && a.task.around(to) {
		u.goal = resting(a.task.Goal)
	}
	if a.task.passes() {
		u.through = uint32(a.who.Side)
	}
	came, there := a.move(&u)
	a.task.progress(came)
	switch {
	case there && !came && a.task.Stuck >= contact:
		a.task = Task{Goal: a.task.Goal}
	case a.task.Stuck == givesUp:
		a.task = Task{}
	}
}

// lead returns the direction in which the unit's path leads, or the direction straight to a target at this distance. end is
// true if the path ends here, short of the goal: no unit can get any nearer to the goal.
func (a *actor) lead(to fixed.Vec2) (direction fixed.Vec2, end bool) {
	if f := a.memo.field[a.task.Path]; f != nil {
		here := nav.CellOf(a.pos)
		switch d := f.At(here.X(), here.Y()); d {
		case nav.Here:
			end = nav.CellOf(a.task.Goal.Vec()) != here
		case nav.Lost:
			if a.turn(lookEvery) {
				a.strays.Push(a.chunk, stray{a.task.Path, here})
			}
		default:
			return d.Vec(), false
		}
	}
	return to.Normalise(), end
}

// rest ends a task: the unit is at its goal, or in the crowd around it, and remembers that for those who come later.
func (a *actor) rest() {
	a.task = Task{Goal: a.task.Goal}
	a.stand()
}

// stand makes the unit stay where it is, unless others push it.
func (a *actor) stand() {
	u := a.body(fixed.Vec2{})
	a.move(&u)
}

// body returns the unit as a body that goes in a direction.
func (a *actor) body(direction fixed.Vec2) body {
	return body{a.pos, direction, a.rules.Radius, uint32(a.chunk.First() + a.row), nowhere, nobody}
}

// move moves the unit: where it goes, and where others push it, but never onto a cell that cannot be entered. In a wood
// it is half as fast. It returns whether the unit has made progress, and whether it has arrived, judging by the units
// that it touches.
func (a *actor) move(u *body) (came, there bool) {
	p := a.memo.crowd.push(u)
	if u.direction == (fixed.Vec2{}) && p.x == 0 && p.y == 0 {
		a.vel = fixed.Vec2{}
		return false, p.there
	}
	speed := a.rules.Speed
	if a.Costs.At(int(a.pos.X>>fixed.FracBits), int(a.pos.Y>>fixed.FracBits)) > 1 {
		speed /= 2
	}
	turned := u.direction
	if p.ahead { // all units go around in the same direction
		turned = fixed.Vec2{X: -turned.Y / 2, Y: turned.X / 2}
	}
	most := int64(speed) * 3 / 2
	a.advance(fixed.Vec2{
		X: fixed.Num(min(max(int64(turned.X)*int64(speed)>>fixed.FracBits+p.x, -most), most)),
		Y: fixed.Num(min(max(int64(turned.Y)*int64(speed)>>fixed.FracBits+p.y, -most), most)),
	})
	forward := int64(a.vel.X)*int64(u.direction.X) + int64(a.vel.Y)*int64(u.direction.Y)
	return forward>>fixed.FracBits >= int64(speed)/4, p.there
}

// advance moves the unit as far as it can go.
func (a *actor) advance(v fixed.Vec2) {
	if v != (fixed.Vec2{}) {
		v = a.slide(v)
		//detlint:ignore fixedwrap a position is on the map and a velocity less than a cell, so that no sum comes near the ends of a Num
		a.pos.X += v.X
		//detlint:ignore fixedwrap a position is on the map and a velocity less than a cell, so that no sum comes near the ends of a Num
		a.pos.Y += v.Y
	}
	a.vel = v
}

// slide returns how much of a motion leads to cells that can be entered: all of it, that along one
// axis, or nothing.
func (a *actor) slide(v fixed.Vec2) fixed.Vec2 {
	x, y := int(a.pos.X>>fixed.FracBits), int(a.pos.Y>>fixed.FracBits)
	nx, ny := int((a.pos.X+v.X)>>fixed.FracBits), int((a.pos.Y+v.Y)>>fixed.FracBits)
	switch {
	case nx == x && ny == y || a.open(nx, ny) && (nx == x || ny == y || a.open(nx, y) && a.open(x, ny)):
		return v
	case nx != x && a.open(nx, y):
		return fixed.Vec2{X: v.X}
	case ny != y && a.open(x, ny):
		return fixed.Vec2{Y: v.Y}
	case nx != x && ny != y:
		return fixed.Vec2{}
	case nx != x:
		return fixed.Vec2{Y: v.Y}
	default:
		return fixed.Vec2{X: v.X}
	}
}

// open reports whether units can enter a cell.
func (w *World) open(x, y int) bool {
	c := w.Costs.At(x, y)
	return c != 0 && c != nav.Blocked
}
