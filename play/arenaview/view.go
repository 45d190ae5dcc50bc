package arenaview

import (
	"math"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/rollback/effects"
)

// View shows one match. Make one with [New]. It is not safe for concurrent use.
type View struct {
	Look    look.Look
	Players int
	// Mine are the players on this machine: the camera keeps them in sight.
	Mine tickback.PlayerSet
	// Around is the area that the ground fills, if it is more than the box of a picture.
	Around draw.Box

	bodies  [arena.MaxPlayers]body
	flies   look.Particles
	shake   look.Shake
	cam     draw.Point
	width   float32
	aspect  float32
	time    float32
	now     arena.State
	prev    arena.State
	share   float32
	started bool
}

// body is a fighter as it is shown.
type body struct {
	at, speed draw.Point
	aim       float32 // where it looks, in radians
	flash     float32
	health    float32
	late      float32 // the trailing part of the health bar
	gone      float32 // seconds since it was knocked out
}

// New returns a view of a match with this many places.
func New(l look.Look, players int, mine tickback.PlayerSet) *View {
	return &View{Look: l, Players: players, Mine: mine}
}

// Jump shows a state that does not follow the previous one, as in a recording.
func (v *View) Jump(s *arena.State) {
	v.flies.Clear()
	v.shake, v.started = look.Shake{}, false
	for p := range v.bodies {
		f := &s.Fighters[p]
		health := float32(f.Hp) / arena.FullHp
		v.bodies[p] = body{health: health, late: health, aim: float32(math.Atan2(float64(f.FaceY), float64(f.FaceX)))}
		if f.Stance != arena.Standing {
			v.bodies[p].gone = 10 // long enough
		}
	}
}

func point(v fixed.Vec2) draw.Point {
	return draw.Point{X: float32(v.X.FloatForDrawing()), Y: float32(v.Y.FloatForDrawing())}
}

func number(n fixed.Num) float32 { return float32(n.FloatForDrawing()) }

// Sizes from the rules, for drawing.
var (
	halfWidth     = number(arena.HalfWidth)
	halfHeight    = number(arena.HalfHeight)
	fighterRadius = number(arena.FighterRadius)
	pillarRadius  = number(arena.PillarRadius)
)

// Hear handles an event of the journal.
func (v *View) Hear(e *effects.Event) {
	if v.flies.Hear(e) {
		v.begin(e)
	}
}

func (v *View) begin(e *effects.Event) {
	s := look.SourceOf(e)
	switch {
	case arena.Fired.Is(e):
		p := arena.Fired.Payload(e)
		v.burst(s, point(p.At), v.Look.Player(int(p.Player)), 4, 3)
	case arena.Bounced.Is(e):
		p := arena.Bounced.Payload(e)
		v.burst(s, point(p.At), v.Look.Player(int(p.Player)), 5, 3)
	case arena.Hit.Is(e):
		v.wound(s, arena.Hit.Payload(e), 0.25)
	case arena.Rammed.Is(e):
		v.wound(s, arena.Rammed.Payload(e), 0.4)
	case arena.Dashed.Is(e):
		p := arena.Dashed.Payload(e)
		v.ripple(s, point(p.At), v.Look.Player(int(p.Player)))
	case arena.KnockedOut.Is(e):
		p := arena.KnockedOut.Payload(e)
		v.burst(s, point(p.At), v.Look.Player(int(p.Player)), 30, 9)
		v.ripple(s, point(p.At), look.Paper)
		v.strike(0.9)
	case arena.Taken.Is(e):
		v.ripple(s, point(arena.Taken.Payload(e).At), look.Green)
	case arena.Spawned.Is(e):
		v.ripple(s, point(arena.Spawned.Payload(e).At), look.Gold)
	}
}

func (v *View) strike(power float32) {
	if !v.Look.Still {
		v.shake.Hit(power)
	}
}

func (v *View) wound(s look.Origin, w arena.Wound, power float32) {
	b := &v.bodies[w.Victim%arena.MaxPlayers]
	if w.Blocked != 0 {
		v.ripple(s, point(w.At), look.Paper)
		return
	}
	b.flash = 1
	v.burst(s, point(w.At), look.Gold, 12, 6)
	v.flies.Add(look.Particle{Shape: look.Flash, At: point(w.At), Size: 1.4, Life: 0.14, Color: look.Paper, Origin: s})
	v.strike(power)
}

func (v *View) ripple(s look.Origin, at draw.Point, c draw.Color) {
	v.flies.Add(look.Particle{Shape: look.Ripple, At: at, Size: 0.4, Grow: 6, Life: 0.3, Color: c, Origin: s})
}

func (v *View) burst(s look.Origin, at draw.Point, c draw.Color, n int, speed float32) {
	for range n {
		v.flies.Add(look.Particle{
			Shape: look.Spark, At: at, Vel: draw.Polar(v.flies.Random(0, 2*math.Pi), v.flies.Random(speed/3, speed)),
			Drag: 3.5, Size: v.flies.Random(0.06, 0.11), Life: v.flies.Random(0.2, 0.55),
			Color: c.Mix(look.Paper, v.flies.Random(0, 0.6)), Origin: s,
		})
	}
}

// Advance lets dt seconds pass, and shows the session's view.
func (v *View) Advance(dt float32, seen tickback.View[arena.State]) {
	v.time += dt
	v.prev, v.now, v.share = *seen.Previous, *seen.Current, float32(seen.Fraction)
	for p := range v.bodies {
		v.advanceBody(&v.bodies[p], &v.prev.Fighters[p], &v.now.Fighters[p], dt)
	}
	if !v.started {
		v.cam, v.width, v.started = v.target()
		v.started = v.started && (seen.Running || seen.Frame > 0) // before that the state belongs to no match
	}
	at, width, _ := v.target()
	v.cam.X, v.cam.Y = look.Approach(v.cam.X, at.X, 4, dt), look.Approach(v.cam.Y, at.Y, 4, dt)
	v.width = look.Approach(v.width, width, 3, dt)
	v.flies.Advance(dt)
	v.shake.Advance(dt)
}

func (v *View) advanceBody(b *body, prev, now *arena.Fighter, dt float32) {
	at := point(now.Pos)
	if from := point(prev.Pos); at.Minus(from).Length() < 2 && prev.Stance == now.Stance {
		at = from.Toward(at, v.share)
	}
	b.at, b.speed = at, point(now.Vel)
	if now.FaceX != 0 || now.FaceY != 0 {
		aim := float32(math.Atan2(float64(now.FaceY), float64(now.FaceX)))
		turn := float32(math.Remainder(float64(aim-b.aim), 2*math.Pi))
		b.aim += turn * (1 - float32(math.Exp(float64(-22*dt))))
	}
	b.flash = max(b.flash-dt*6, 0)
	b.health = float32(now.Hp) / arena.FullHp
	b.late = max(look.Approach(b.late, b.health, 4, dt), b.health)
	if now.Stance == arena.Standing {
		b.gone = 0
		if now.DashTicks > 0 {
			v.flies.Add(look.Particle{Shape: look.Puff, At: at, Size: fighterRadius * 0.8, Life: 0.2, Color: look.Paper.Alpha(0.25)})
		}
	} else {
		b.gone += dt
	}
}

// target returns where the camera should be: it shows all of a small fight, and always at least the players on this
// machine.
func (v *View) target() (at draw.Point, width float32, ok bool) {
	// There is room for the scores above.
	whole := max(2*halfWidth+1.6, (2*halfHeight+3.6)*v.aspect)
	least, most := draw.Point{X: halfWidth, Y: halfHeight}, draw.Point{X: -halfWidth, Y: -halfHeight}
	n := 0
	for p := range v.bodies {
		if v.now.Fighters[p].Stance != arena.Standing || v.Mine != 0 && !v.Mine.Has(tickback.Player(p)) {
			continue
		}
		q := v.bodies[p].at
		least = draw.Point{X: min(least.X, q.X), Y: min(least.Y, q.Y)}
		most = draw.Point{X: max(most.X, q.X), Y: max(most.Y, q.Y)}
		n++
	}
	if n == 0 {
		return draw.Point{}, whole, true
	}
	width = min(max(most.X-least.X+17, (most.Y-least.Y+11)*max(v.aspect, 1)), whole)
	height := width / max(v.aspect, 0.5)
	bound := func(x, half, size, before float32) float32 {
		if room := half + 1.4 - size/2; room > 0 {
			return min(max(x, -room-before), room)
		}
		return 0
	}
	const scores = 0.12 // the fraction of the picture's height for the scores and the names of fighters at the upper border
	return draw.Point{X: bound((least.X+most.X)/2, halfWidth, width, 0), Y: bound((least.Y+most.Y)/2, halfHeight, height, scores*height)}, width, true
}
