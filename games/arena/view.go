package arena

import "github.com/tickback/tickback/fixed"

// Distances and other limits for the decisions of a bot.
const (
	sightTicks    = 20             // how many ticks before a shot arrives the bot sees it
	closeShave    = fixed.Half     // it also avoids shots that would miss by less than this
	ramRange      = 4 * fixed.One  // the distance within which it rams
	shotRange     = 15 * fixed.One // the distance within which it shoots
	pickupRange   = 7 * fixed.One  // how far it goes for a pickup
	healthRange   = 16 * fixed.One // how far it goes for health if it is hurt
	hurt          = 60             // it is hurt below this health
	elbowRoom     = fixed.One      // the distance from pillars that it tries to keep
	wallRoom      = 3 * fixed.One  // the distance from walls that it tries to keep
	shieldReserve = FullEnergy / 4 // below this energy it does not use the shield
	slack         = fixed.Half     // tolerance of the distance that it keeps
)

// view is what a bot sees in one frame.
type view struct {
	s    *State
	me   *Fighter
	foe  *Fighter // the nearest
	p    int
	mood mood
}

// nearestFoe returns the nearest other standing fighter, or nil.
func (v *view) nearestFoe() *Fighter {
	var foe *Fighter
	nearest := fixed.Max
	for q := range v.s.Fighters {
		g := &v.s.Fighters[q]
		if q == v.p || g.Stance != Standing {
			continue
		}
		if d := v.me.Pos.DistanceSquared(g.Pos); d < nearest {
			foe, nearest = g, d
		}
	}
	return foe
}

// dodge steps, dashes or shields out of the way of a shot.
func (v *view) dodge() (Input, bool) {
	shot := v.incoming()
	if shot == nil || !v.mood.alert {
		return Input{}, false
	}
	aside := shot.Vel.Perp()
	if shot.Vel.Cross(v.me.Pos.Sub(shot.Pos)) < 0 {
		aside = aside.Neg()
	}
	in := held(aside)
	switch {
	case v.mood.shields && v.me.Guard != Broken && v.me.Energy >= shieldReserve:
		in.Buttons = Shield
	case v.me.DashCooldown == 0 && v.mood.rams:
		in.Buttons = Dash
	case v.me.Charge > 0:
		in.Buttons = Shoot // keep the charge in the meantime
	}
	return in, true
}

// incoming returns the first shot that will hit or nearly hit, or nil.
func (v *view) incoming() *Shot {
	var first *Shot
	soonest := sightTicks * ShotSpeed // a distance: all shots are equally fast
	for p := range v.s.Shots {
		for i := range v.s.Shots[p] {
			shot := &v.s.Shots[p][i]
			if p == v.p || shot.Life <= 0 {
				continue
			}
			away := v.me.Pos.Sub(shot.Pos)
			flight := shot.Vel.Dot(away).Div(ShotSpeed)
			miss := shot.Vel.Cross(away).Abs().Div(ShotSpeed)
			if flight > 0 && flight < soonest && miss < FighterRadius+shot.Radius()+closeShave {
				first, soonest = shot, flight
			}
		}
	}
	return first
}

// ram dashes into a foe that is near, if that suits the bot's mood.
func (v *view) ram() (Input, bool) {
	if !v.mood.rams || v.me.DashCooldown > 0 || v.foe.Guard == Raised || !near(v.me.Pos, v.foe.Pos, ramRange) {
		return Input{}, false
	}
	in := held(v.foe.Pos.Sub(v.me.Pos))
	in.Buttons = Dash
	return in, true
}

// way returns where the bot wants to run.
func (v *view) way() fixed.Vec2 {
	if at, ok := v.treasure(); ok {
		return at.Sub(v.me.Pos).Normalise().Add(v.room())
	}
	to := v.foe.Pos.Sub(v.me.Pos)
	ahead := to.Normalise()
	way := ahead.Perp().Scale(v.mood.side)
	switch distance := to.Length(); {
	case distance > v.mood.distance+slack:
		way = way.Scale(fixed.Half).Add(ahead)
	case distance < v.mood.distance-slack:
		way = way.Sub(ahead)
	}
	return way.Add(v.room())
}

// treasure returns the nearest pickup that is worth going for.
func (v *view) treasure() (at fixed.Vec2, ok bool) {
	nearest := fixed.Max
	for spot := range v.s.Pickups {
		kind, reach := v.s.Pickups[spot].Kind, pickupRange
		if kind == Health && v.me.Hp < hurt {
			reach = healthRange
		}
		if kind == Nothing || kind == Health && v.me.Hp == FullHp {
			continue
		}
		if d := v.me.Pos.Distance(spots[spot]); d < reach && d < nearest {
			at, nearest, ok = spots[spot], d, true
		}
	}
	return at, ok
}

// room keeps the bot off pillars and out of corners.
func (v *view) room() fixed.Vec2 {
	var push fixed.Vec2
	if c, ok := pillarAt(v.me.Pos, PillarRadius+FighterRadius+elbowRoom); ok {
		out := away(c, v.me.Pos)
		push = out.Add(out.Perp().Scale(v.mood.side))
	}
	if v.me.Pos.X.Abs() > HalfWidth-wallRoom {
		push.X -= toward(fixed.One, v.me.Pos.X)
	}
	if v.me.Pos.Y.Abs() > HalfHeight-wallRoom {
		push.Y -= toward(fixed.One, v.me.Pos.Y)
	}
	return push
}

// shoot adds shooting to where the bot runs: it charges while it has patience, then turns to the
// foe and lets go.
func (v *view) shoot(in Input) Input {
	to := v.foe.Pos.Sub(v.me.Pos)
	if !near(v.me.Pos, v.foe.Pos, shotRange) || v.blocked(to) {
		if v.me.Charge > 0 {
			in.Buttons = Shoot
		}
		return in
	}
	in.Buttons = Shoot
	if v.me.RapidTicks == 0 && (v.me.Charge < v.mood.patience || v.me.ShotCooldown > 1) {
		return in
	}
	ahead := to.Normalise()
	aimed := held(ahead.Add(ahead.Perp().Scale(v.mood.sway)))
	if v.me.RapidTicks > 0 {
		aimed.Buttons = Shoot
	}
	return aimed
}

// blocked reports whether a pillar is between the bot and a place, which is given relative to it.
func (v *view) blocked(to fixed.Vec2) bool {
	ahead, distance := to.Normalise(), to.Length()
	for _, c := range pillars {
		d := c.Sub(v.me.Pos)
		along := ahead.Dot(d)
		if along > 0 && along < distance && ahead.Cross(d).Abs() < PillarRadius+ShotRadius {
			return true
		}
	}
	return false
}
