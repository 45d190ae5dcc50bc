package tanks

import "github.com/tickback/tickback/fixed"

// fire loads the guns, and fires those whose players hold Fire. A shot begins at the centre of its
// tank, and flies in the next tick.
func (t *tick) fire() {
	for p := range t.s.Tanks {
		tank := &t.s.Tanks[p]
		if tank.Stance != Alive {
			continue
		}
		if tank.Reload > 0 {
			tank.Reload--
		}
		if tank.Reload == 0 && tank.Held.Buttons&Fire != 0 {
			t.shoot(p)
		}
	}
}

func (t *tick) shoot(p int) {
	tank := &t.s.Tanks[p]
	t.s.Shots[p][tank.Shots%ShotsEach] = Shot{
		Pos: tank.Pos, Vel: tank.Ahead().Scale(shotStep), Life: ShotTicks,
		Lag: min(uint32(tank.Held.Seen), Rewind),
	}
	tank.Shots++
	tank.Reload = ReloadTicks
	Fired.Emit(t.out, uint32(p), Salvo{At: tank.Pos, Heading: tank.Heading, Player: uint8(p)})
}

// fly moves the shots, one after the other, by player and slot. The hits of one shot are applied
// before the next one flies.
func (t *tick) fly() {
	for p := range t.s.Shots {
		for slot := range t.s.Shots[p] {
			if t.s.Shots[p][slot].Life > 0 {
				t.flyOne(p, slot)
			}
		}
	}
}

// flyOne moves a shot until a wall stops it. It hits the first tank on the way.
func (t *tick) flyOne(p, slot int) {
	shot := &t.s.Shots[p][slot]
	share := free(shot.Pos, shot.Vel)
	way := shot.Vel
	if share < fixed.One {
		way = way.Scale(share)
	}
	if q, at := t.target(p, shot, way); q >= 0 {
		*shot = Shot{}
		t.hit(p, slot, q, at)
		return
	}
	shot.Pos = shot.Pos.Add(way)
	shot.Life--
	if share < fixed.One {
		Stopped.Emit(t.out, shotKey(p, slot), Spot{At: shot.Pos, Player: uint8(p)})
		shot.Life = 0
	}
	if shot.Life == 0 {
		*shot = Shot{}
	}
}

// target returns the first tank that a shot of player p meets on its way, where it was Lag ticks
// ago, and where the shot is then; or -1. Of two that it meets at once, the lower number counts.
func (t *tick) target(p int, shot *Shot, way fixed.Vec2) (q int, at fixed.Vec2) {
	q, first := -1, fixed.Max
	for i := range t.s.Tanks {
		if i == p {
			continue
		}
		then, ok := t.s.Trail(i, shot.Lag)
		if !ok || !near(shot.Pos, then, hitReach+shotStep) {
			continue
		}
		to := then.Sub(shot.Pos)
		share := to.Dot(way).Div(way.LengthSquared()).Clamp(0, fixed.One)
		if closest := shot.Pos.Add(way.Scale(share)); share < first && near(closest, then, hitReach) {
			q, first, at = i, share, closest
		}
	}
	return q, at
}
