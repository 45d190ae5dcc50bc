package duelview

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/rollback/effects"
)

// View shows one duel. Make one with [New]. It is not safe for concurrent use.
type View struct {
	Look look.Look
	// Endless is for a duel that continues after a knock-out: fighters do not stay on the ground.
	Endless bool
	// Own is the fighter of the player on this machine, which gets a mark; -1 if there is none, or more than one.
	Own int
	// Untagged hides the names above the fighters, for when another text is there.
	Untagged bool
	// Over says that the state no longer changes: fighters come to rest, on the ground.
	Over bool
	// Covered is the fraction of the width that touch controls cover, at each side: fighters stay between them.
	Covered float32
	// Around is the area that the sky fills, if it is more than the box of a picture.
	Around draw.Box

	rigs  [2]rig
	bars  [2]bar
	cam   camera
	flies look.Particles
	shake look.Shake
	ghost []ghost
	time  float32
	over  float32 // seconds since the end
	slow  float32 // remaining seconds of slow motion
	flash float32
	state duel.State // the current state in the last picture
	begun bool       // whether the match had begun in the last picture
}

// New returns a view of a new duel.
func New(l look.Look) *View {
	v := &View{Look: l, Own: -1}
	v.Reset()
	return v
}

// Reset starts a new round. Particles keep flying.
func (v *View) Reset() {
	v.rigs, v.slow, v.ghost = [2]rig{{fallen: -1}, {fallen: -1}}, 0, nil
	v.bars = [2]bar{{shown: 1, late: 1}, {shown: 1, late: 1}}
	v.cam.ready, v.begun = false, false
}

// Jump shows a state that does not follow the previous one, as in a recording, without effects of the change.
func (v *View) Jump(s *duel.State) {
	v.Reset()
	v.flies.Clear()
	v.flash, v.shake, v.state = 0, look.Shake{}, *s
	for p := range v.rigs {
		f, share := &s.P[p], float32(s.P[p].Hp)/duel.FullHp
		v.bars[p] = bar{shown: share, late: share}
		if f.Hp > 0 || v.Endless {
			continue
		}
		v.rigs[p].fallen, v.rigs[p].thrown = lies, 1
		if s.P[1-p].X > f.X {
			v.rigs[p].thrown = -1
		}
	}
}

// lies is the number of seconds after a knock-out for which a fighter lies still.
const lies = 3

// slowMotion is how long a knock-out is shown in slow motion, and slowRate how slow that is.
const (
	slowMotion = 1.1
	slowRate   = 0.28
)

// Hear handles an event of the journal.
func (v *View) Hear(e *effects.Event) {
	if v.flies.Hear(e) {
		v.begin(e)
	}
}

// begin shows an effect that has started.
func (v *View) begin(e *effects.Event) {
	p := int(e.Key & 1)
	switch {
	case duel.Struck.Is(e):
		v.hit(e, duel.Struck.Payload(e))
	case duel.Jumped.Is(e):
		v.rigs[p].squash = 0.22
		v.dust(e, duel.Jumped.Payload(e), 6)
	case duel.Landed.Is(e):
		v.rigs[p].squash = -0.26
		v.dust(e, duel.Landed.Payload(e), 10)
	case duel.KnockedOut.Is(e):
		v.knockOut(p)
	}
}

// knockOut makes a fighter fall, in slow motion. It only changes the presentation.
func (v *View) knockOut(p int) {
	r := &v.rigs[p]
	if r.fallen >= 0 || v.Endless {
		return
	}
	r.fallen, r.thrown = 0, 1
	if v.rigs[1-p].m.x > r.m.x {
		r.thrown = -1
	}
	if !v.Look.Still {
		v.slow, v.flash = slowMotion, 1
		v.shake.Hit(1)
	}
}

// Cheer makes a fighter cheer.
func (v *View) Cheer(p int) { v.rigs[p&1].cheers = true }

// hit shows a blow.
func (v *View) hit(e *effects.Event, b duel.Blow) {
	at := draw.Point{X: float32(b.X) / duel.UnitsPerWorldUnit, Y: -float32(b.Y) / duel.UnitsPerWorldUnit}
	source, color := look.SourceOf(e), v.Look.Player(int(1-b.Victim)&1)
	v.rigs[b.Victim&1].flash = 1
	side := float32(b.Facing)
	v.flies.Add(look.Particle{Shape: look.Flash, At: at, Size: 1.1, Life: 0.16, Color: look.Paper, Origin: source})
	v.flies.Add(look.Particle{Shape: look.Ripple, At: at, Size: 0.1, Grow: 5, Life: 0.22, Color: look.Paper, Origin: source})
	for range 16 {
		speed := draw.Polar(v.flies.Random(-1.2, 1.2), v.flies.Random(2, 9))
		speed.X *= side
		v.flies.Add(look.Particle{
			Shape: look.Spark, At: at, Vel: speed, Fall: 12, Drag: 3, Size: v.flies.Random(0.03, 0.06),
			Life: v.flies.Random(0.2, 0.5), Color: look.Gold.Mix(color, v.flies.Random(0, 1)), Origin: source,
		})
	}
	if !v.Look.Still {
		v.shake.Hit(0.6)
	}
}

// dust shows dust at a fighter's feet.
func (v *View) dust(e *effects.Event, at duel.Place, n int) {
	foot := draw.Point{X: (float32(at.X) + duel.BodyWidth/2) / duel.UnitsPerWorldUnit, Y: -0.03}
	for range n {
		v.puff(foot, draw.Point{X: v.flies.Random(-2.4, 2.4), Y: v.flies.Random(-0.9, -0.1)}, look.SourceOf(e))
	}
}

func (v *View) puff(at, speed draw.Point, s look.Origin) {
	v.flies.Add(look.Particle{
		Shape: look.Puff, At: at, Vel: speed, Drag: 4, Size: v.flies.Random(0.05, 0.11), Grow: 0.25,
		Life: v.flies.Random(0.25, 0.5), Color: draw.RGB(0xE7C9B4).Alpha(0.55), Origin: s,
	})
}

// Advance lets dt seconds pass, and shows the session's view.
func (v *View) Advance(dt float32, seen tickback.View[duel.State]) {
	if v.slow > 0 {
		v.slow -= dt
		dt *= slowRate
	}
	v.time += dt
	v.state = *seen.Current
	if v.over += dt; !v.Over {
		v.over = 0
	}
	for p := range v.rigs {
		m := between(&seen.Previous.P[p], &seen.Current.P[p], float32(seen.Fraction))
		if v.Over {
			m.rest(v.over)
		}
		v.rigs[p].advance(m, v.time, dt)
		v.bars[p].advance(float32(m.hp)/duel.FullHp, dt)
		if m.running && v.flies.Random(0, 1) < 18*dt {
			v.puff(draw.Point{X: m.x - m.facing*0.2, Y: -0.03}, draw.Point{X: -m.facing * 1.5, Y: -0.4}, look.Origin{})
		}
	}
	if !v.begun { // a state before that belongs to no match: the camera starts with the first one of the match
		v.cam.ready, v.begun = false, seen.Running || seen.Frame > 0
	}
	if v.cam.ready {
		v.cam.follow(&v.rigs[0].m, &v.rigs[1].m, dt)
	}
	v.flies.Advance(dt)
	v.shake.Advance(dt)
	v.flash = max(v.flash-dt*5, 0)
	v.advanceGhosts(dt)
}

// Draw draws the duel into a part of a canvas; a shake may draw outside of it.
func (v *View) Draw(c *draw.Canvas, box draw.Box) {
	a, b := &v.rigs[0], &v.rigs[1]
	if v.cam.aspect != box.W/box.H || v.cam.covered != v.Covered || !v.cam.ready {
		v.cam = camera{x: v.cam.x, width: v.cam.width, aspect: box.W / box.H, covered: v.Covered}
		v.cam.follow(&a.m, &b.m, 0)
	}
	around := v.Around
	if around.W == 0 {
		around = box
	}
	drawSky(c, around, box, &v.cam)
	c.Push()
	c.World()
	sx, sy := v.shake.Offset()
	k := box.W / v.cam.width
	c.Translate(box.X+box.W/2+sx*box.W*0.012, box.Y+box.H*groundAt+sy*box.W*0.012)
	c.Scale(k, k)
	c.Translate(-v.cam.x, 0)
	drawGround(c, &v.cam)
	v.drawGhosts(c)
	// The fighter that struck last is in front.
	first, second := 0, 1
	if a.m.swing < b.m.swing {
		first, second = 1, 0
	}
	for _, p := range []int{first, second} {
		name := v.Look.Names[p]
		if name == "" {
			name = [...]string{"P1", "P2"}[p]
		}
		if v.Untagged {
			name = ""
		}
		v.rigs[p].draw(c, v.Look.Player(p), name)
	}
	if v.Own >= 0 {
		m := &v.rigs[v.Own&1].m
		drawOwn(c, m)
		c.Mark(draw.MarkOwn, draw.Box{X: m.x - 0.3, Y: -m.y - 1.45, W: 0.6, H: 1.45}, v.Look.Names[v.Own&1])
	}
	v.flies.Draw(c)
	c.Pop()
	if v.flash > 0 {
		c.Rect(around, look.Paper.Alpha(v.flash*0.5))
	}
}

// Places returns where the fighters are drawn along the stage, in units of the stage: between two states.
func (v *View) Places() [2]float32 { return [2]float32{v.rigs[0].m.x, v.rigs[1].m.x} }

// drawOwn draws the mark of our own fighter, above its name.
func drawOwn(c *draw.Canvas, m *moment) {
	y := -m.y - 1.5
	for _, e := range []struct {
		by  float32
		col draw.Color
	}{{0.03, look.Ink}, {0, look.Gold}} {
		c.Poly([]draw.Point{{X: m.x - 0.13 - e.by, Y: y - 0.16 - e.by}, {X: m.x + 0.13 + e.by, Y: y - 0.16 - e.by}, {X: m.x, Y: y + e.by}}, e.col)
	}
}

// Feet returns where a fighter stands in a part of a canvas, as it was last drawn there.
func (v *View) Feet(p int, box draw.Box) draw.Point {
	m, k := &v.rigs[p&1].m, box.W/max(v.cam.width, 1)
	return draw.Point{X: box.X + box.W/2 + (m.x-v.cam.x)*k, Y: box.Y + box.H*groundAt}
}
