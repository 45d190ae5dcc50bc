package controls

import (
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/words"
)

// TouchPad is a set of controls on a touch screen: a stick at the left, and buttons at the right.
type TouchPad struct {
	Stick   draw.Box // the stick at rest is in its middle
	Buttons []TouchButton
}

// TouchButton is one of the buttons.
type TouchButton struct {
	At     draw.Point
	Radius float32
	Action Action
	Label  string
}

// mostRadius is the radius of the largest buttons, in points.
const mostRadius = 52

// NewTouchPad arranges the buttons of a game in the lower corners of a part of the screen. beside is the width of the
// margin at each side of the picture: if thumbs fit there, the buttons are in the margins, one above the other, and
// cover nothing. Otherwise they are small enough that the fighters stand between them. point is the number of pixels
// in a point: a thumb is as large on a tablet as on a phone.
func NewTouchPad(area draw.Box, beside, point float32, labels map[Action]string) TouchPad {
	r := min(area.W*0.075, area.H*0.115, mostRadius*point)
	stick := 3.1 * r
	places := []place{{A, 0, 0}, {Up, 0, -2.3}, {B, -2.3, 0}, {C, -2.3, -2.3}}
	edge := 1.3 * r // from the edge of the screen to the middle of a button
	if beside > 1.2*r {
		r, edge = min(r, beside*0.46), beside/2
		stick = min(stick, beside*1.35) // it may cover some scenery of the picture
		places = []place{{A, 0, 0}, {Up, 0, -2.3}, {B, 0, -2.3}, {C, 0, -4.6}}
		if labels[Up] != "" && labels[B] != "" {
			places[2].y, places[3].y = -4.6, -6.9
		}
	}
	p := TouchPad{Stick: draw.Box{X: area.X + r*0.1, Y: area.Y + area.H - stick - 0.3*r, W: stick, H: stick}}
	corner := draw.Point{X: area.X + area.W - edge, Y: area.Y + area.H - 1.3*r}
	for _, at := range places {
		if labels[at.a] != "" {
			p.Buttons = append(p.Buttons, TouchButton{
				At: corner.Plus(draw.Point{X: at.x * r, Y: at.y * r}), Radius: r, Action: at.a, Label: labels[at.a],
			})
		}
	}
	return p
}

// place is the position of a button, in radii from the corner.
type place struct {
	a    Action
	x, y float32
}

// Held returns the actions that fingers hold.
func (p *TouchPad) Held(touches []draw.Point) (held Action) {
	for _, t := range touches {
		if p.Stick.Inset(-p.Stick.W * 0.25).Has(t) {
			held |= p.stick(t)
		}
		for _, b := range p.Buttons {
			if t.Minus(b.At).Length() < b.Radius*1.15 {
				held |= b.Action
			}
		}
	}
	return held
}

// stick returns the direction in which a finger pushes the stick: one of eight, or none near the middle.
func (p *TouchPad) stick(t draw.Point) (held Action) {
	d := t.Minus(p.Stick.Centre())
	dead := p.Stick.W * 0.1
	if d.Length() < dead {
		return 0
	}
	const slope = 0.41 // the tangent of half of an eighth of a turn
	if d.X < 0 && -d.X > slope*abs(d.Y) {
		held |= Left
	}
	if d.X > 0 && d.X > slope*abs(d.Y) {
		held |= Right
	}
	if d.Y < 0 && -d.Y > slope*abs(d.X) {
		held |= Up
	}
	if d.Y > 0 && d.Y > slope*abs(d.X) {
		held |= Down
	}
	return held
}

func abs(v float32) float32 { return max(v, -v) }

// Draw draws the buttons, and shows which are held.
func (p *TouchPad) Draw(c *draw.Canvas, held Action) {
	faint, strong := draw.RGB(0xFFFFFF).Alpha(0.16), draw.RGB(0xFFFFFF).Alpha(0.5)
	c.Mark(draw.MarkTouch, p.Stick, "stick")
	c.Circle(p.Stick.Centre(), p.Stick.W/2, faint.Alpha(0.6))
	c.Ring(p.Stick.Centre(), p.Stick.W/2, 2, strong.Alpha(0.6))
	knob := p.Stick.Centre()
	for a, d := range map[Action]draw.Point{Left: {X: -1}, Right: {X: 1}, Up: {Y: -1}, Down: {Y: 1}} {
		if held&a != 0 {
			knob = knob.Plus(d.Times(p.Stick.W * 0.2))
		}
	}
	c.Circle(knob, p.Stick.W*0.2, strong)
	for _, b := range p.Buttons {
		fill := faint
		if held&b.Action != 0 {
			fill = strong
		}
		c.Mark(draw.MarkTouch, draw.Box{X: b.At.X - b.Radius, Y: b.At.Y - b.Radius, W: 2 * b.Radius, H: 2 * b.Radius}, b.Label)
		c.Circle(b.At, b.Radius, fill)
		c.Ring(b.At, b.Radius, 2, strong)
		c.Text(b.At.Plus(draw.Point{Y: b.Radius * 0.13}), b.Radius*0.42, draw.Middle, draw.RGB(0xFFFFFF), words.T(b.Label))
	}
}
