package skirmish

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world"
)

// lookEvery is the number of ticks between two searches of a unit for something to attack.
const lookEvery = 8

// checkEvery is the number of ticks between two checks that the way to a target is still open, which are more
// expensive. It is a multiple of lookEvery.
const checkEvery = 4 * lookEvery

// sight is how a unit sees its target.
type sight uint8

const (
	unseen  sight = iota // there is none, or it is gone
	beyond               // not reachable in a straight line: the unit was ordered to attack it
	inSight              // the unit goes straight on
	inRange
)

// look returns the unit's target: its position, and how the unit sees it.
func (a *actor) look() (at fixed.Vec2, seen sight) {
	if a.task.Verb == Strike && a.aim.Target == 0 {
		a.aim.Target = a.task.Target
	}
	if a.aim.Target != 0 {
		if at, seen = a.regard(a.task.Verb == Strike || a.turn(checkEvery)); seen != unseen {
			return at, seen
		}
		a.aim.Target = 0
		if a.task.Verb == Strike {
			a.task = Task{}
		}
	}
	if a.task.Verb == Move || !a.turn(lookEvery) {
		return at, unseen
	}
	if e, found := a.memo.crowd.enemy(a.World, a.pos, a.who.Side, a.rules.Sight); found {
		a.aim.Target = e
		at, seen = a.regard(true)
	}
	if seen == unseen {
		if a.aim.Target = a.enemyBuilding(); a.aim.Target == 0 {
			return at, unseen
		}
		if at, seen = a.regard(true); seen == unseen {
			a.aim.Target = 0
			return at, unseen
		}
	}
	if a.task.Verb == 0 {
		a.task = Task{} // it rests no longer
	}
	return at, seen
}

// turn reports whether it is the unit's turn for something that each unit does once in a number of ticks.
func (a *actor) turn(ticks uint32) bool { return (uint32(a.row)+a.frame)%ticks == 0 }

// regard returns where the target is, and how the unit sees it. A unit that was not ordered to attack gives up a target
// that is too far away, and, if it checks that, one that it cannot reach in a straight line: beyond water, or behind a
// wall.
func (a *actor) regard(check bool) (at fixed.Vec2, seen sight) {
	at, radius, ok := a.target(a.aim.Target)
	if !ok {
		return at, unseen
	}
	d := at.Sub(a.pos)
	far, reach := a.rules.Sight+radius, a.rules.Range+a.rules.Radius+radius
	switch {
	case within(d, reach):
		return at, inRange
	case within(d, far+far/2) && (!check || a.straight(d, reach+radius/2)): // including distances to the corners of a building
		return at, inSight
	case a.task.Verb == Strike:
		return at, beyond
	default:
		return at, unseen
	}
}

// enemyBuilding returns the first building of another side within sight, or 0 if there is none.
func (a *actor) enemyBuilding() world.Entity {
	for i := range a.memo.buildings {
		b := &a.memo.buildings[i]
		if b.side != a.who.Side && within(b.at.Sub(a.pos), a.rules.Sight+b.radius) {
			return b.entity
		}
	}
	return 0
}

// straight reports whether the unit can go straight to a target at this distance, until it can reach it.
func (a *actor) straight(d fixed.Vec2, reach fixed.Num) bool {
	halves := int64(max(d.X.Abs(), d.Y.Abs()))>>(fixed.FracBits-1) + 1 // of a cell: no step is longer
	step := fixed.Vec2{X: fixed.Num(int64(d.X) / halves), Y: fixed.Num(int64(d.Y) / halves)}
	x, y := a.pos.X, a.pos.Y
	for range halves {
		if d = d.Sub(step); within(d, reach) {
			return true
		}
		x, y = x.Add(step.X), y.Add(step.Y)
		if !a.open(int(x>>fixed.FracBits), int(y>>fixed.FracBits)) {
			return false
		}
	}
	return true
}
