package arena

import "github.com/tickback/tickback/fixed"

// The limits for the centre of a fighter: at these, its body touches a wall.
const (
	fighterMaxX = HalfWidth - FighterRadius
	fighterMaxY = HalfHeight - FighterRadius
)

// move moves f by its speed, slows it down and keeps it out of walls and pillars.
func (f *Fighter) move() {
	f.Vel.X = f.Vel.X.Clamp(-TopSpeed, TopSpeed)
	f.Vel.Y = f.Vel.Y.Clamp(-TopSpeed, TopSpeed)
	if f.DashTicks == 0 {
		f.Vel = fixed.Vec2{X: slow(f.Vel.X), Y: slow(f.Vel.Y)}
	}
	f.Pos = f.Pos.Add(f.Vel)
	f.keepInside()
}

// slow applies friction. It stops a fighter that only crawls, which rounding alone would never do.
func slow(v fixed.Num) fixed.Num {
	if -Crawl < v && v < Crawl {
		return 0
	}
	return v.Mul(Friction)
}

// keepInside moves f out of walls and pillars, and turns its speed accordingly.
func (f *Fighter) keepInside() {
	f.Pos.X, f.Vel.X = wall(f.Pos.X, f.Vel.X, fighterMaxX)
	f.Pos.Y, f.Vel.Y = wall(f.Pos.Y, f.Vel.Y, fighterMaxY)
	const reach = PillarRadius + FighterRadius
	c, ok := pillarAt(f.Pos, reach)
	if !ok {
		return
	}
	normal := away(c, f.Pos)
	f.Pos = c.Add(normal.Scale(reach))
	if into := f.Vel.Dot(normal); into < 0 {
		f.Vel = f.Vel.Sub(normal.Scale(into))
	}
}

// wall keeps a coordinate within -limit and limit, and bounces back what runs into
// either end.
func wall(x, v, limit fixed.Num) (fixed.Num, fixed.Num) {
	if -limit <= x && x <= limit {
		return x, v
	}
	if (x > 0) == (v > 0) {
		v = v.Mul(-WallBounce)
	}
	return x.Clamp(-limit, limit), v
}

// pillarAt returns the pillar whose centre is nearer to a point than reach. There is at
// most one.
func pillarAt(at fixed.Vec2, reach fixed.Num) (centre fixed.Vec2, ok bool) {
	c := fixed.Vec2{X: toward(PillarX, at.X), Y: toward(PillarY, at.Y)}
	return c, near(c, at, reach)
}

// toward returns a magnitude with the sign of another number.
func toward(magnitude, sign fixed.Num) fixed.Num {
	if sign < 0 {
		return -magnitude
	}
	return magnitude
}

// near reports whether two points are nearer to each other than reach. Most pairs are far
// apart, which takes only two comparisons to see.
func near(a, b fixed.Vec2, reach fixed.Num) bool {
	dx, dy := a.X-b.X, a.Y-b.Y
	if dx >= reach || -dx >= reach || dy >= reach || -dy >= reach {
		return false
	}
	return a.DistanceSquared(b) < reach.Mul(reach)
}

// away returns the direction from one point to another, of length 1; if they are the same, it points to the
// right.
func away(from, to fixed.Vec2) fixed.Vec2 {
	if from == to {
		return fixed.Vec2{X: fixed.One}
	}
	return to.Sub(from).Normalise()
}

// separate pushes apart bodies that overlap, each by half. All pushes are found before any
// fighter moves, and their sums do not depend on the order. A crowd takes more than one tick
// to dissolve.
func (t *tick) separate() {
	var pushes [MaxPlayers]fixed.Vec2
	pushed := false
	for p := range t.s.Fighters {
		for q := p + 1; q < MaxPlayers; q++ {
			f, g := &t.s.Fighters[p], &t.s.Fighters[q]
			if f.Stance != Standing || g.Stance != Standing || !near(f.Pos, g.Pos, 2*FighterRadius) {
				continue
			}
			overlap := 2*FighterRadius - f.Pos.Distance(g.Pos)
			push := away(f.Pos, g.Pos).Scale(overlap.Mul(fixed.Half))
			pushes[p], pushes[q] = pushes[p].Sub(push), pushes[q].Add(push)
			pushed = true
		}
	}
	if pushed {
		t.applyPushes(&pushes)
	}
}

func (t *tick) applyPushes(pushes *[MaxPlayers]fixed.Vec2) {
	for p, push := range pushes {
		if push != (fixed.Vec2{}) {
			t.s.Fighters[p].Pos = t.s.Fighters[p].Pos.Add(push)
			t.s.Fighters[p].keepInside()
		}
	}
}
