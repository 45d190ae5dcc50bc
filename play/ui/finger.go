package ui

import "github.com/tickback/tickback/play/draw"

// over reports whether the pointer is on a widget, or a finger is near enough.
func (u *UI) over(p place) bool {
	b, known := p.box, find(u.last, p.id)
	if b.Has(u.in.Pointer) {
		return true
	}
	if !reach(b, u.in.Finger).Has(u.in.Pointer) {
		return false
	}
	mine := away(b, u.in.Pointer)
	for i, other := range u.last { // the later ones of this picture are not known yet
		if d := away(other.box, u.in.Pointer); other.id != p.id && (d < mine || d == mine && i < known) {
			return false
		}
	}
	return true
}

// reach returns the box of a widget, made as high as a finger.
func reach(b draw.Box, finger float32) draw.Box {
	by := max((finger-b.H)/2, 0)
	return draw.Box{X: b.X, Y: b.Y - by, W: b.W, H: b.H + 2*by}
}

// away returns how far a point is outside of a box.
func away(b draw.Box, p draw.Point) float32 {
	return draw.Point{X: max(b.X-p.X, p.X-b.X-b.W, 0), Y: max(b.Y-p.Y, p.Y-b.Y-b.H, 0)}.Length()
}

// target returns the area in which a finger touches a widget: up to half of the distance to the next ones above and
// below.
func (u *UI) target(all []place, id int) draw.Box {
	b := all[id].box
	t := reach(b, u.in.Finger)
	top, bottom := t.Y, t.Y+t.H
	for i, other := range all {
		o := other.box
		if i == id || o.X >= b.X+b.W || b.X >= o.X+o.W {
			continue
		}
		if o.Y+o.H <= b.Y {
			top = max(top, (o.Y+o.H+b.Y)/2)
		}
		if o.Y >= b.Y+b.H {
			bottom = min(bottom, (o.Y+b.Y+b.H)/2)
		}
	}
	return draw.Box{X: b.X, Y: top, W: b.W, H: bottom - top}
}
