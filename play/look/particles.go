package look

import (
	"math"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/rollback/effects"
)

// maxParticles bounds what flies; beyond that, new ones are left out.
const maxParticles = 512

// Source is the effect that a particle comes from, as the journal knows it; of one
// without, it is zero.
type Source struct {
	Kind  uint8
	Key   uint32
	Frame effects.Frame
}

// SourceOf returns what an event is about, as it was known before.
func SourceOf(e *effects.Event) Source { return Source{e.Kind, e.Key, e.From} }

// Shape is what a particle looks like.
type Shape uint8

// The shapes.
const (
	Puff   Shape = iota // a soft disc that grows
	Spark               // a line in the direction of its flight
	Ripple              // a ring that grows
	Flash               // light
)

// Particle is something that flies for a while. Lengths are in the game's units.
type Particle struct {
	Shape    Shape
	At, Vel  draw.Point
	Fall     float32 // acceleration along Y
	Drag     float32 // share of the speed that is lost in a second
	Size     float32
	Grow     float32 // in a second
	Life     float32 // seconds
	Color    draw.Color
	Source   Source
	age      float32
	dissolve float32
}

// Particles are all that fly.
type Particles struct {
	list []Particle
	seed uint32
}

// Add lets a particle fly.
func (p *Particles) Add(q Particle) {
	if len(p.list) < maxParticles {
		p.list = append(p.list, q)
	}
}

// Random returns a number from less to more. It is the presentation's own.
func (p *Particles) Random(less, more float32) float32 {
	p.seed = p.seed*1664525 + 1013904223
	return less + (more-less)*float32(p.seed>>8)/(1<<24)
}

// Cancel lets what comes from a source fade quickly: it never happened.
func (p *Particles) Cancel(s Source) {
	for i := range p.list {
		if p.list[i].Source == s {
			p.list[i].dissolve = max(p.list[i].dissolve, 1e-3)
		}
	}
}

// Rename follows an effect that has moved to another frame.
func (p *Particles) Rename(from Source, to effects.Frame) {
	for i := range p.list {
		if p.list[i].Source == from {
			p.list[i].Source.Frame = to
		}
	}
}

// Hear takes what becomes of an effect that has been shown: it has moved to another frame,
// or never happened. It reports whether the effect is one to be shown now.
func (p *Particles) Hear(e *effects.Event) (starts bool) {
	switch e.What {
	case effects.Moved:
		p.Rename(SourceOf(e), e.Frame)
	case effects.Cancelled:
		p.Cancel(SourceOf(e))
	}
	return e.What == effects.Started
}

// Count returns how many particles fly.
func (p *Particles) Count() int { return len(p.list) }

// Clear takes all away.
func (p *Particles) Clear() { p.list = p.list[:0] }

// Advance lets time pass.
func (p *Particles) Advance(dt float32) {
	left := p.list[:0]
	for _, q := range p.list {
		q.age += dt
		if q.dissolve > 0 {
			q.dissolve += dt * 15
		}
		if q.age >= q.Life || q.dissolve >= 1 {
			continue
		}
		q.Vel.Y += q.Fall * dt
		q.Vel = q.Vel.Times(float32(math.Exp(float64(-q.Drag * dt))))
		q.At = q.At.Plus(q.Vel.Times(dt))
		q.Size += q.Grow * dt
		left = append(left, q)
	}
	p.list = left
}

// Draw draws all. The canvas is in the game's units.
func (p *Particles) Draw(c *draw.Canvas) {
	for i := range p.list {
		q := &p.list[i]
		left := (1 - q.age/q.Life) * (1 - q.dissolve)
		switch q.Shape {
		case Puff:
			c.Circle(q.At, q.Size, q.Color.Alpha(left*left))
		case Ripple:
			c.Ring(q.At, q.Size, q.Size*0.25*left, q.Color.Alpha(left))
		case Flash:
			c.Glow(q.At, q.Size, q.Color.Alpha(left))
		case Spark:
			tail := q.At.Minus(q.Vel.Times(0.035))
			c.Capsule(tail, q.At, q.Size*0.1, q.Size*left, q.Color.Alpha(min(left*2, 1)))
		}
	}
}
