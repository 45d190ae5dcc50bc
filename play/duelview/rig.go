package duelview

import (
	"math"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
)

// the length of the upper leg, and of the lower leg
type pose struct {
	hip          draw.Point
	lean         float32    // the trunk's forward lean, in radians
	head         float32    // the angle of the head, relative to the trunk
	front, back  draw.Point // hands, relative to the shoulder
	footA, footB draw.Point
	blade        float32 // the angle of the sword: 0 is forward, positive is up
}

// moment has the values that determine a pose: those of a fighter between two states.
type moment struct {
	x, y, vy float32 // the middle of the feet, and the upward speed, in units per second
	facing   float32
	action   duel.Action
	running  bool
	swing    float32 // ticks since the swing began; large if there is none
	stun     float32 // remaining ticks of hitstun
	hp       int32
}

// between interpolates a fighter between two states.
func between(prev, cur *duel.Fighter, fraction float32) moment {
	mix := func(a, b int32) float32 { return (float32(a) + float32(b-a)*fraction) / duel.UnitsPerWorldUnit }
	m := moment{
		x: mix(prev.X, cur.X) + duel.BodyWidth/2.0/duel.UnitsPerWorldUnit, y: mix(prev.Y, cur.Y),
		vy:     float32(cur.Vy) / duel.UnitsPerWorldUnit * duel.TicksPerSecond,
		facing: float32(cur.Facing), action: cur.State,
		running: cur.X != prev.X && cur.Y == duel.Ground,
		swing:   math.MaxInt16, stun: float32(cur.HitstunFrames), hp: cur.Hp,
	}
	if cur.AttackCooldownFrames > 0 {
		m.swing = float32(duel.AttackCooldown-cur.AttackCooldownFrames) + fraction
	}
	return m
}

// rest changes the moment to one that is this many seconds after the end of a match, when the state no longer
// changes: without that the fighter would stay in the air, or in the middle of a blow.
func (m *moment) rest(seconds float32) {
	const gravity = float32(-duel.Gravity) / duel.UnitsPerWorldUnit * duel.TicksPerSecond * duel.TicksPerSecond
	ticks := seconds * duel.TicksPerSecond
	m.running = false
	m.swing += ticks
	m.stun = max(m.stun-ticks, 0)
	if m.y > 0 {
		m.y = max(m.y+m.vy*seconds-gravity/2*seconds*seconds, 0)
		m.vy -= gravity * seconds
	}
}

// The phases of an attack, in ticks.
const (
	windUpEnds  = 1.2 // the sword goes back
	strikeEnds  = float32(duel.AttackActive)
	recoverEnds = 17 // the sword comes to rest
)

// poseOf returns the pose of a moment. phase is how far the fighter has run, in radians; time is in
// seconds.
func poseOf(m *moment, phase, time float32) pose {
	var p pose
	switch {
	case m.stun > 0:
		p = poseHurt(m, time)
	case m.y > 0.01:
		p = poseAir(m)
	case m.running:
		p = poseRun(phase)
	default:
		p = poseIdle(time)
	}
	if m.swing < recoverEnds && m.stun == 0 {
		strike(&p, m)
	}
	return p
}

func poseIdle(time float32) pose {
	breath := look.Sin(time*3.2) * 0.012
	return pose{
		hip: draw.Point{X: -0.02, Y: 0.4 + breath}, lean: 0.12,
		front: draw.Point{X: 0.2, Y: -0.14 + breath}, back: draw.Point{X: 0.1, Y: -0.2},
		footA: draw.Point{X: 0.17}, footB: draw.Point{X: -0.2}, blade: 0.75 + breath*3,
	}
}

func poseRun(phase float32) pose {
	foot := func(p float32) draw.Point {
		return draw.Point{X: look.Cos(p)*0.36 - 0.06, Y: max(look.Sin(p), 0) * 0.26}
	}
	return pose{
		hip: draw.Point{X: 0, Y: 0.38 + 0.03*look.Sin(2*phase)}, lean: 0.55, head: -0.3,
		front: draw.Point{X: -0.16, Y: -0.2}, back: draw.Point{X: 0.1 + 0.16*look.Cos(phase), Y: -0.14},
		footA: foot(phase), footB: foot(phase + math.Pi), blade: 2.85,
	}
}

func poseAir(m *moment) pose {
	up := look.Smooth((m.vy + 6) / 24) // 1 on the way up, 0 on the way down
	mix := func(a, b draw.Point) draw.Point { return b.Toward(a, up) }
	return pose{
		hip: draw.Point{X: 0, Y: 0.44}, lean: 0.05 + 0.3*up, head: 0.25 - 0.5*up,
		front: mix(draw.Point{X: 0.1, Y: -0.24}, draw.Point{X: 0.22, Y: 0.16}),
		back:  mix(draw.Point{X: -0.2, Y: -0.16}, draw.Point{X: -0.22, Y: 0.18}),
		footA: mix(draw.Point{X: 0.2, Y: 0.24}, draw.Point{X: 0.2, Y: 0.02}),
		footB: mix(draw.Point{X: -0.16, Y: 0.02}, draw.Point{X: -0.16, Y: 0.16}),
		blade: 2.4 - 0.9*(1-up),
	}
}

func poseHurt(m *moment, time float32) pose {
	k := min(m.stun/duel.HitstunTicks, 1)
	shiver := look.Sin(time*60) * 0.02 * k
	return pose{
		hip: draw.Point{X: -0.1*k + shiver, Y: 0.36}, lean: -0.25 - 0.4*k, head: -0.45 * k,
		front: draw.Point{X: 0.2, Y: 0.1 + 0.06*k}, back: draw.Point{X: 0.02, Y: 0.2},
		footA: draw.Point{X: 0.22, Y: 0.06 * k}, footB: draw.Point{X: -0.22}, blade: 1.9,
	}
}

// strike adds an attack to a pose: wind-up, strike, recovery.
func strike(p *pose, m *moment) {
	switch t := m.swing; {
	case t < windUpEnds:
		p.lean, p.blade = -0.12, 2.5
		p.front = draw.Point{X: -0.08, Y: 0.24}
	case t < strikeEnds:
		k := look.Smooth((t - windUpEnds) / (strikeEnds - windUpEnds - 1))
		p.lean, p.head, p.blade = 0.1+0.4*k, -0.2*k, 2.2-2.5*k
		p.front = draw.Point{X: 0.12 + 0.2*k, Y: 0.16 - 0.2*k}
		p.back = draw.Point{X: -0.22, Y: -0.08}
		if m.y <= 0 {
			p.hip, p.footA, p.footB = draw.Point{X: 0.06 * k, Y: 0.33}, draw.Point{X: 0.34}, draw.Point{X: -0.32}
		}
	default:
		k := 1 - look.Smooth((t-strikeEnds)/(recoverEnds-strikeEnds))
		p.lean += 0.4 * k
		p.blade += (-0.7 - p.blade) * k
		p.front = p.front.Toward(draw.Point{X: 0.26, Y: -0.16}, k)
	}
}

// blend interpolates between two poses.
func (p pose) blend(to pose, k float32) pose {
	mix := func(a, b float32) float32 { return a + (b-a)*k }
	return pose{
		p.hip.Toward(to.hip, k), mix(p.lean, to.lean), mix(p.head, to.head),
		p.front.Toward(to.front, k), p.back.Toward(to.back, k),
		p.footA.Toward(to.footA, k), p.footB.Toward(to.footB, k), mix(p.blade, to.blade),
	}
}

// scarfLinks is how many pieces the scarf has.
const scarfLinks = 7

// rig is a fighter as shown.
type rig struct {
	now    pose
	m      moment
	phase  float32
	squash float32 // negative after a landing, positive in a jump
	flash  float32
	fallen float32 // seconds since it was knocked out; negative if it was not
	thrown float32 // the direction: -1 or 1
	scarf  [scarfLinks]draw.Point
	ready  bool
	cheers bool
}

// advance moves the fighter to a moment.
func (r *rig) advance(m moment, time, dt float32) {
	if !r.ready {
		r.now, r.ready = poseOf(&m, 0, time), true
		r.m = m
		for i := range r.scarf {
			r.scarf[i] = draw.Point{X: m.x, Y: -m.y - 0.7}
		}
	}
	r.phase += max(m.x-r.m.x, r.m.x-m.x) * 2.3
	r.m = m
	rate := float32(24)
	if m.swing < strikeEnds+1 || m.stun > 0 {
		rate = 60
	}
	target := poseOf(&m, r.phase, time)
	switch {
	case r.fallen >= 0:
		target = poseFallen(r.fallen)
		r.fallen += dt
	case r.cheers && m.y <= 0.01:
		target = poseCheer(time)
	}
	r.now = r.now.blend(target, 1-float32(math.Exp(float64(-rate*dt))))
	r.squash = look.Approach(r.squash, 0, 14, dt)
	r.flash = max(r.flash-dt*6, 0)
	r.wave(time, dt)
}

func poseFallen(t float32) pose {
	k := look.Smooth(t * 2)
	return pose{
		hip: draw.Point{X: 0, Y: 0.36}, lean: -0.1, head: -0.3,
		front: draw.Point{X: 0.1, Y: 0.3 * k}, back: draw.Point{X: -0.2, Y: 0.22},
		footA: draw.Point{X: 0.16, Y: 0.06}, footB: draw.Point{X: -0.14, Y: -0.02}, blade: 1.6,
	}
}

func poseCheer(time float32) pose {
	hop := look.Sin(time*9) * 0.03
	return pose{
		hip: draw.Point{X: 0, Y: 0.42 + hop}, head: -0.15,
		front: draw.Point{X: 0.06, Y: 0.3 + hop}, back: draw.Point{X: -0.14, Y: -0.2},
		footA: draw.Point{X: 0.16}, footB: draw.Point{X: -0.16}, blade: 1.45,
	}
}

// lie returns how a knocked-out figure lies: how far it is rotated, and where.
func (r *rig) lie() (turn float32, shift draw.Point) {
	if r.fallen < 0 {
		return 0, draw.Point{}
	}
	t := r.fallen
	k := look.Smooth(t / 0.55)
	hop := float32(0)
	if t < 0.55 {
		hop = look.Sin(t/0.55*math.Pi) * 0.55
	} else if t < 0.8 {
		hop = look.Sin((t-0.55)/0.25*math.Pi) * 0.12
	}
	return -k * 1.5, draw.Point{X: r.thrown * 1.5 * (1 - float32(math.Exp(float64(-3*t)))), Y: hop}
}

// wave makes the scarf follow the neck.
func (r *rig) wave(time, dt float32) {
	turn, shift := r.lie()
	neck := draw.Point{X: r.m.x + shift.X - r.m.facing*(0.06-0.62*look.Sin(turn)), Y: -r.m.y - shift.Y - 0.1 - 0.62*look.Cos(turn)}
	r.scarf[0] = neck
	for i := 1; i < scarfLinks; i++ {
		p := &r.scarf[i]
		p.X += (-r.m.facing*1.1 + look.Sin(time*7+float32(i))*0.25) * dt
		p.Y += (0.9 + look.Sin(time*9-float32(i)*0.8)*1.2) * dt
		const link = 0.085
		d := p.Minus(r.scarf[i-1])
		if l := d.Length(); l > link {
			*p = r.scarf[i-1].Plus(d.Times(link / l))
		}
		p.Y = min(p.Y, -0.02)
	}
}
