package skirmishview

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/world"
)

// View shows one match. Make one with [New]; [View.Close] releases its snapshots. It is not safe for concurrent use.
type View struct {
	Look   look.Look
	Camera Camera
	// Side is the player whose view it is, or skirmish.Nobody. Chosen is the building that this player has selected.
	Side   uint8
	Chosen world.Entity

	past      past
	crowd     crowd
	buildings []Building
	tally     Tally
	ground    *ground
	sprites   *sprites
	mini      *minimap
	flies     look.Particles
	alarms    []alarm
	marks     []mark
	time      float32
}

// mark shows for a moment where an order leads.
type mark struct {
	at   draw.Point
	left float32 // remaining seconds
	col  draw.Color
}

// alarm is a ring on the minimap.
type alarm struct {
	at   draw.Point
	left float32 // remaining seconds
	col  draw.Color
}

// New returns a view for a player, or for skirmish.Nobody.
func New(l look.Look, side uint8) *View { return &View{Look: l, Side: side} }

// Close releases the snapshots of the match.
func (v *View) Close() { v.past.close() }

// Jump must be called after a jump in a recording, so that nothing is shown as moving from the previous state to the
// new one.
func (v *View) Jump() {
	v.past.close()
	v.flies.Clear()
	v.alarms, v.marks = v.alarms[:0], v.marks[:0]
}

// Freeze keeps what is shown: from now on, [View.Advance] ignores states, since the session is being closed.
func (v *View) Freeze() { v.past.frozen = v.past.now != nil }

// Mark stores the state before frame f runs. Call it when a session asks for the inputs of a frame: then the view
// draws between that state and the next one, also if several frames run for one picture. Without it, the view uses
// the states that [View.Advance] has seen.
func (v *View) Mark(w *skirmish.World, f tickback.Frame) { v.past.mark(w, f) }

// Advance lets dt seconds pass, and shows the session's view.
func (v *View) Advance(dt float32, seen tickback.View[skirmish.World]) {
	v.past.look(seen)
	before, now := v.past.states()
	if now.Match.Get().Players == 0 {
		return // there is no map before the match begins
	}
	if v.ground == nil || v.sprites.palette != v.Look.Palette {
		v.begin(now)
	}
	v.time += dt
	v.crowd.gather(before, now, v.past.share, dt)
	v.buildings = buildingsOf(v.buildings[:0], now)
	if v.past.fresh {
		v.addDust(before, now)
	}
	v.tally.count(now, v.crowd.shown, v.buildings, v.Side)
	v.mini.advance(dt, &v.Look, v.crowd.shown, v.buildings)
	v.flies.Advance(dt)
	v.alarms, v.marks = fadeAlarms(v.alarms, dt), fadeMarks(v.marks, dt)
}

// begin paints what does not change during a match.
func (v *View) begin(w *skirmish.World) {
	if v.ground == nil {
		v.ground = newGround(w)
		v.mini = newMinimap(v.ground)
		v.home(w)
	}
	v.sprites = newSprites(&v.Look, int(w.Match.Get().Players))
}

// home shows the keep of the view's player, or the whole map.
func (v *View) home(w *skirmish.World) {
	size := float32(v.ground.size)
	v.Camera.At, v.Camera.size = draw.Point{X: size / 2, Y: size / 2}, size
	if v.Side == skirmish.Nobody {
		v.Camera.Zoom = 1e-3 // as small as the map allows
	}
	for e := range w.Buildings.All() {
		if p, _ := w.Buildings.Place.Get(e); p.Side == v.Side && p.Structure == skirmish.Keep {
			v.Camera.At = point(p.Centre())
		}
	}
}

// addDust adds a puff of dust where a unit has fallen.
func (v *View) addDust(before, now *skirmish.World) {
	sight := v.Camera.Sight()
	for c := range before.Units.Chunks() {
		pos, who := before.Units.Pos.Read(c), before.Units.Who.Read(c)
		for row := range c.Live() {
			if now.Units.Alive(c.Entity(row)) {
				continue
			}
			at := point(*pos.Ref(row))
			if !sight.Has(at) {
				continue
			}
			col := v.Look.Player(int(who.Ref(row).Side))
			v.flies.Add(look.Particle{Shape: look.Puff, At: at, Size: 0.3, Grow: 0.7, Life: 0.7, Color: look.Paper.Alpha(0.5)})
			v.flies.Add(look.Particle{Shape: look.Puff, At: at, Size: 0.24, Grow: -0.1, Life: 1.6, Color: col.Shade(0.5).Alpha(0.8)})
		}
	}
}

func fadeMarks(list []mark, dt float32) (left []mark) {
	left = list[:0]
	for _, m := range list {
		if m.left -= dt; m.left > 0 {
			left = append(left, m)
		}
	}
	return left
}

func fadeAlarms(list []alarm, dt float32) (left []alarm) {
	left = list[:0]
	for _, a := range list {
		if a.left -= dt; a.left > 0 {
			left = append(left, a)
		}
	}
	return left
}

// Point shows for a moment that an order leads to a place.
func (v *View) Point(at draw.Point, col draw.Color) {
	v.marks = append(v.marks, mark{at, markSeconds, col})
}

const markSeconds = 0.6

// Draw draws the map into a part of a canvas.
func (v *View) Draw(c *draw.Canvas, box draw.Box) {
	c.Rect(box, look.Ink)
	if v.ground == nil {
		return
	}
	v.Camera.Fit(box, float32(v.ground.size))
	_, now := v.past.states()
	sight, zoom := v.Camera.Sight(), v.Camera.Zoom
	c.Clip(box)
	c.Push()
	c.World()
	at := v.Camera.Shown(draw.Point{})
	c.Translate(at.X, at.Y)
	c.Scale(zoom, zoom)
	v.ground.draw(c, v.sprites, sight, zoom)
	for i := range v.buildings {
		if overlaps(v.buildings[i].Box().Inset(-1), sight) {
			v.drawBuilding(c, &v.buildings[i])
		}
	}
	v.crowd.draw(c, v.sprites, sight, zoom, v.Side)
	v.drawShots(c, now, sight)
	v.flies.Draw(c)
	v.drawMarks(c)
	c.Pop()
	c.Unclip()
}

func overlaps(a, b draw.Box) bool {
	return a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H
}

// drawMarks draws where orders lead, and where the units trained in the selected building go.
func (v *View) drawMarks(c *draw.Canvas) {
	for _, m := range v.marks {
		t := m.left / markSeconds
		c.Ring(m.at, 0.25+0.6*t, 0.1, m.col.Alpha(t))
		c.Circle(m.at, 0.14, m.col.Alpha(t))
	}
	b, ok := v.Building(v.Chosen)
	if !ok || b.Works.Rally == (skirmish.Spot{}) || b.Place.Side != v.Side {
		return
	}
	from, to := b.Box().Centre(), point(b.Works.Rally.Vec())
	c.Line(from, to, 0.07, look.Paper.Alpha(0.5))
	c.Line(to, to.Minus(draw.Point{Y: 0.9}), 0.08, look.Paper)
	c.Poly([]draw.Point{to.Minus(draw.Point{Y: 0.9}), to.Plus(draw.Point{X: 0.6, Y: -0.68}), to.Minus(draw.Point{Y: 0.46})}, v.Look.Player(int(v.Side)))
}

// Hear handles an event of the journal.
func (v *View) Hear(e *effects.Event) {
	if !v.flies.Hear(e) {
		return
	}
	s := look.SourceOf(e)
	switch {
	case skirmish.Broken.Is(e):
		at := point(skirmish.Broken.Payload(e))
		for range 14 {
			v.flies.Add(look.Particle{
				Shape: look.Puff, At: at, Vel: draw.Polar(v.flies.Random(0, 6.3), v.flies.Random(0.5, 3)), Drag: 2,
				Size: v.flies.Random(0.3, 0.8), Grow: 0.5, Life: v.flies.Random(0.6, 1.4), Color: gravel.Alpha(0.7), Origin: s,
			})
		}
		v.alarms = append(v.alarms, alarm{at, 1.5, look.Red})
	case skirmish.Trained.Is(e):
		v.flies.Add(look.Particle{Shape: look.Ripple, At: point(skirmish.Trained.Payload(e)), Size: 0.3, Grow: 2, Life: 0.4, Color: look.Paper, Origin: s})
	case skirmish.Taken.Is(e):
		v.ripple(s, e.Key, v.Look.Player(int(skirmish.Taken.Payload(e))))
	case skirmish.Finished.Is(e):
		v.ripple(s, e.Key, look.Green)
	}
}

// ripple shows a ring around a building, which is identified by its row.
func (v *View) ripple(s look.Origin, row uint32, col draw.Color) {
	for i := range v.buildings {
		if b := &v.buildings[i]; b.Entity.Row() == int(row) {
			v.flies.Add(look.Particle{Shape: look.Ripple, At: b.Box().Centre(), Size: 0.8, Grow: 5, Life: 0.5, Color: col, Origin: s})
		}
	}
}
