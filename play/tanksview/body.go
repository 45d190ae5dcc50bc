package tanksview

import (
	"math"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/predict/smooth"
)

// body is a tank as it is shown.
type body struct {
	off, turn smooth.Offset // for our own tanks: how far the shown values are from the prediction

	at      draw.Point
	heading float32
	stance  tanks.Stance
	tank    tanks.Tank // the shown values besides its position
	flash   float32
	health  float32
	late    float32 // the trailing part of the health bar
	recoil  float32
	rolled  float32 // how far the tracks have rolled
	gone    float32 // seconds since it was destroyed
	fresh   float32 // seconds since it appeared
}

// far is a distance that a tank cannot drive between two states: a tank that is farther away has appeared
// somewhere else.
const far = 6 * tanks.TankRadius

// show interpolates a tank between two states.
func (b *body) show(p int, from, to *tanks.State, share float32) {
	before, after := &from.Tanks[p], &to.Tanks[p]
	now := before
	if share >= 1 || before.Stance == tanks.Absent {
		now = after
	}
	was := b.at
	b.at, b.heading, b.tank = point(now.Pos), number(now.Heading), *now
	if before.Stance == tanks.Alive && after.Stance == tanks.Alive {
		if a, z := point(before.Pos), point(after.Pos); z.Minus(a).Length() < far {
			b.at = a.Toward(z, share)
			turn := smooth.Turn(before.Heading.FloatForDrawing(), after.Heading.FloatForDrawing())
			b.heading = number(before.Heading) + float32(turn)*share
		}
	}
	e, t := b.off.At(), b.turn.At()
	b.at = b.at.Plus(draw.Point{X: float32(e[0]), Y: float32(e[1])})
	b.heading += float32(t[0])
	if d := b.at.Minus(was); d.Length() < far {
		sin, cos := math.Sincos(float64(b.heading))
		b.rolled += d.X*float32(cos) + d.Y*float32(sin)
	}
}

// age lets time pass for a tank.
func (v *View) age(p int, dt float32) {
	b := &v.bodies[p]
	b.off.Advance(seconds(dt))
	b.turn.Advance(seconds(dt))
	b.flash, b.recoil = max(b.flash-dt*6, 0), max(b.recoil-dt*7, 0)
	b.health = float32(b.tank.Hp) / tanks.FullHp
	b.late = max(look.Approach(b.late, b.health, 4, dt), b.health)
	if b.tank.Stance != b.stance {
		b.stance, b.gone, b.fresh = b.tank.Stance, 0, 0
		b.late = b.health
	}
	b.fresh += dt
	if b.stance == tanks.Out {
		b.gone += dt
		if !v.Look.Still && b.gone < 2 && int(b.gone*14) != int((b.gone-dt)*14) {
			v.flies.Add(look.Particle{
				Shape: look.Puff, At: b.at.Plus(draw.Point{X: v.flies.Random(-6, 6), Y: v.flies.Random(-6, 6)}),
				Vel: draw.Point{X: v.flies.Random(-8, 8), Y: -26}, Size: 5, Grow: 12, Life: 0.9, Color: draw.RGB(0x0B0D1A).Alpha(0.5),
			})
		}
	}
}

// shot is a shot as it is shown.
type shot struct {
	at, tail draw.Point
	player   int
}

// showShots updates the shots: our own as predicted, and others as they are known.
func (v *View) showShots(seen tickback.View[tanks.State]) {
	v.shots = v.shots[:0]
	for p := range tanks.MaxPlayers {
		from, to, share := seen.Before, seen.After, float32(seen.Share)
		if v.Mine.Has(tickback.Player(p)) {
			from, to, share = seen.Previous, seen.Current, float32(seen.Fraction)
		}
		e := v.bodies[p].off.At()
		off := draw.Point{X: float32(e[0]), Y: float32(e[1])}
		for slot := range tanks.ShotsEach {
			v.showShot(p, &from.Shots[p][slot], &to.Shots[p][slot], share, off)
		}
	}
}

// showShot adds a shot between two states. One that ends between them is shown until then, and one that begins is
// shown from then on.
func (v *View) showShot(p int, before, after *tanks.Shot, share float32, off draw.Point) {
	var at draw.Point
	vel := point(after.Vel)
	switch same := before.Vel == after.Vel && before.Life > after.Life; {
	case before.Life > 0 && after.Life > 0 && same:
		at = point(before.Pos).Toward(point(after.Pos), share)
	case after.Life > 0 && share >= 1:
		at = point(after.Pos)
	case before.Life > 0 && share < 1:
		vel = point(before.Vel)
		at = point(before.Pos)
	default:
		return
	}
	at = at.Plus(off)
	v.shots = append(v.shots, shot{at: at, tail: at.Minus(vel.Times(0.9)), player: p})
}
