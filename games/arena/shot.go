package arena

import "github.com/tickback/tickback/fixed"

// trigger charges or fires, depending on whether player p holds Shoot. Rapid fire does not wait
// for the button to be let go. A shot waits for the cooldown and for a free slot.
func (t *tick) trigger(p int, held bool) {
	f := &t.s.Fighters[p]
	if f.Guard == Raised {
		return
	}
	if held {
		f.Charge = min(f.Charge+1, FullCharge+1)
	}
	rapid := f.RapidTicks > 0
	if rapid {
		f.Charge = min(f.Charge, 1)
	}
	if f.Charge == 0 || f.ShotCooldown > 0 || held && !rapid {
		return
	}
	slot := freeSlot(&t.s.Shots[p])
	if slot < 0 {
		return
	}
	t.fire(p, slot, rapid)
}

func freeSlot(shots *[ShotsEach]Shot) int {
	for i := range shots {
		if shots[i].Life == 0 {
			return i
		}
	}
	return -1
}

// fire puts a shot of player p into a free slot.
func (t *tick) fire(p, slot int, rapid bool) {
	f := &t.s.Fighters[p]
	f.Shots++
	shot := Shot{
		Pos: f.Pos, Vel: t.aim(p).Scale(ShotSpeed), Life: ShotLife,
		Damage: ShotDamage + (f.Charge-1)*ChargeDamage/FullCharge,
		Serial: f.Shots, Bounces: ShotBounces,
	}
	f.ShotCooldown = ShotCooldown
	if rapid {
		shot.Life, f.ShotCooldown = RapidLife, RapidCooldown
	}
	if f.BigShots > 0 {
		f.BigShots--
		shot.Big, shot.Damage = 1, shot.Damage+BigDamage
	}
	f.Charge = 0
	t.s.Shots[p][slot] = shot
	Fired.Emit(t.out, uint32(p), Salvo{At: f.Pos, Damage: shot.Damage, Player: uint8(p), Big: shot.Big})
}

// aim returns the direction of a shot: to the nearest opponent within AimCone of where the fighter faces, or
// straight on if there is none or two are equally near. So the eight directions of a keyboard are enough to
// aim.
func (t *tick) aim(p int) fixed.Vec2 {
	f := &t.s.Fighters[p]
	ahead := f.facing()
	direction, nearest := ahead, fixed.Max
	for q := range t.s.Fighters {
		g := &t.s.Fighters[q]
		if q == p || g.Stance != Standing {
			continue
		}
		d := g.Pos.Sub(f.Pos)
		forward := ahead.Dot(d)
		if forward <= 0 || ahead.Cross(d).Abs() > forward.Mul(AimCone) {
			continue
		}
		switch distance := d.LengthSquared(); {
		case distance < nearest:
			direction, nearest = d.Normalise(), distance
		case distance == nearest:
			direction = ahead
		}
	}
	return direction
}

// flyShots moves every shot, lets it bounce, and counts down its life.
func (t *tick) flyShots() {
	for p := range t.s.Shots {
		for i := range t.s.Shots[p] {
			if t.s.Shots[p][i].Life > 0 {
				t.fly(p, i)
			}
		}
	}
}

func (t *tick) fly(p, slot int) {
	shot := &t.s.Shots[p][slot]
	shot.Life--
	if shot.Life == 0 {
		*shot = Shot{}
		return
	}
	shot.Pos = shot.Pos.Add(shot.Vel)
	if shot.bounce() {
		t.afterBounce(p, slot)
	}
}

// bounce turns a shot back from walls and pillars, and reports whether it met one.
func (s *Shot) bounce() bool {
	r := s.Radius()
	before := s.Vel
	s.Pos.X, s.Vel.X = mirror(s.Pos.X, s.Vel.X, HalfWidth-r)
	s.Pos.Y, s.Vel.Y = mirror(s.Pos.Y, s.Vel.Y, HalfHeight-r)
	if c, ok := pillarAt(s.Pos, PillarRadius+r); ok {
		normal := away(c, s.Pos)
		s.Pos = c.Add(normal.Scale(PillarRadius + r))
		if into := s.Vel.Dot(normal); into < 0 {
			s.Vel = s.Vel.Sub(normal.Scale(2 * into))
		}
	}
	return s.Vel != before
}

// mirror keeps a coordinate within -limit and limit, and reverses a speed that would take it out.
func mirror(x, v, limit fixed.Num) (fixed.Num, fixed.Num) {
	if x > limit && v > 0 || x < -limit && v < 0 {
		v = v.Neg()
	}
	return x.Clamp(-limit, limit), v
}

// afterBounce ends a shot that has bounced too often.
func (t *tick) afterBounce(p, slot int) {
	shot := &t.s.Shots[p][slot]
	if shot.Bounces == 0 {
		*shot = Shot{}
		return
	}
	shot.Bounces--
	Bounced.Emit(t.out, shotKey(p, slot), Place{At: shot.Pos, Player: uint8(p)})
}
