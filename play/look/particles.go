package look

import (
	"math"

	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/rollback/effects"
)

// maxParticles limits the number of particles; further ones are not added.
const maxParticles = 512

// Origin identifies the effect that caused a particle, as the journal does; it is zero if there is none.
type Origin struct {
	Kind  uint8
	Key   uint32
	Frame effects.Frame
}

// SourceOf returns the identity of the effect of an event, as it was before the event.
func SourceOf(e *effects.Event) Origin { return Origin{e.Kind, e.Key, e.From} }

// Shape is what a particle looks like.
type Shape uint8

// The shapes.
const (
	Puff   Shape = iota // a soft disc that grows
	Spark               // a line in the direction of its flight
	Ripple              // a ring that grows
	Flash               // light
)

// Particle is something that flies for a while. Lengths are in units of the game.
type Particle struct {
	Shape    Shape
	At, Vel  draw.Point
	Fall     float32 // acceleration along Y
	Drag     float32 // the fraction of the speed that is lost per second
	Size     float32
	Grow     float32 // per second
	Life     float32 // seconds
	Color    draw.Color
	Origin   Origin
	age      float32
	dissolve float32
}

// Particles are all particles.
type Particles struct {
	list []Particle
	seed uint32
}

// Add adds a particle.
func (p *Particles) Add(q Particle) {
	if len(p.list) < maxParticles {
		p.list = append(p.list, q)
	}
}

// Random returns a number from less to more, for the presentation only.
func (p *Particles) Random(less, more float32) float32 {
	p.seed = p.seed*1664525 + 1013904223
	return less + (more-less)*float32(p.seed>>8)/(1<<24)
}

// Cancel makes the particles of an effect fade quickly, since the effect never happened.
func (p *Particles) Cancel(s Origin) {
	for i := range p.list {
		if p.list[i].Origin == s {
			p.list[i].dissolve = max(p.list[i].dissolve, 1e-3)
		}
	}
}

// Rename updates particles after an effect has moved to another frame.
func (p *Particles) Rename(from Origin, to effects.Frame) {
	for i := range p.list {
		if p.list[i].Origin == from {
			p.list[i].Origin.Frame = to
		}
	}
}

// Hear handles an event about an effect. Particles of an effect that has moved follow it, and those of one that never
// happened fade. It reports whether the event starts an effect.
func (p *Particles) Hear(e *effects.Event) (starts bool) {
	switch e.What {
	case effects.Moved:
		p.Rename(SourceOf(e), e.Frame)
	case effects.Cancelled:
		p.Cancel(SourceOf(e))
	}
	return e.What == effects.Started
}

// Count returns how many particles there are.
func (p *Particles) Count() int { return len(p.list) }

// Clear removes all particles.
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

// Draw draws all particles. The canvas is in the units of the game.
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
