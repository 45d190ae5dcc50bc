package steering

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

// Lengths are in meters, and a frame is a sixtieth of a second.
const (
	Seats = 4
	Sheep = 32
	Field = 100.0 // its sides
	Fold  = 14.0  // the sides of a fold
	Goal  = 9     // sheep in a fold win

	dt = 1.0 / 60
)

// Input is what one player does in one frame.
type Input struct{ Left, Right, Run bool }

// State is the game in one frame.
type State struct {
	Dogs  [Seats]Walker
	Sheep [Sheep]Walker
	Home  [Sheep]int8 // the player whose fold each sheep is in, or nobody
	Rng   rng.Xorshift128Plus
}

// Walker is a dog or a sheep.
type Walker struct {
	At, Speed mgl64.Vec2
	Heading   float64 // radians
}

const nobody = -1

// Game is all that Tickback needs to know.
var Game = rollback.Game[State, Input]{Init: func(s *State) { *s = New(1) }, Step: step, Floats: rollback.Strict}

// New returns the state in which a match with this seed begins.
func New(seed uint64) State {
	s := State{Rng: rng.New(seed)}
	for p := range s.Dogs {
		s.Dogs[p].At = corner(p).Mul(0.8).Add(middle.Mul(0.2))
		s.Dogs[p].Heading = toward(s.Dogs[p].At, middle)
	}
	for i := range s.Sheep {
		away := mgl64.Rotate2D(2 * math.Pi * s.chance()).Mul2x1(mgl64.Vec2{5 + 15*s.chance(), 0})
		s.Sheep[i].At = middle.Add(away)
		s.Home[i] = nobody
	}
	return s
}

// chance returns a random number from 0 to 1.
func (s *State) chance() float64 { return float64(s.Rng.Next()>>11) / (1 << 53) }

var middle = mgl64.Vec2{Field / 2, Field / 2}

// corner returns the middle of a player's fold.
func corner(p int) mgl64.Vec2 {
	near, far := Fold/2, Field-Fold/2
	return [Seats]mgl64.Vec2{{near, near}, {far, far}, {far, near}, {near, far}}[p]
}

// toward returns the heading from one place to another.
func toward(from, to mgl64.Vec2) float64 {
	way := to.Sub(from)
	return math.Atan2(way.Y(), way.X())
}

// step computes the next frame from the state and what the players do.
func step(s *State, t *rollback.Tick[Input]) {
	for p := range t.Players() {
		s.Dogs[p].drive(t.Input(p))
	}
	before := s.Sheep
	for i := range s.Sheep {
		s.Sheep[i].flock(i, &before, s.Dogs[:t.Players()])
	}
	var folded [Seats]int
	for i := range s.Sheep {
		s.Home[i] = nobody
		for p := range int(t.Players()) {
			way := s.Sheep[i].At.Sub(corner(p))
			if math.Abs(way.X()) < Fold/2 && math.Abs(way.Y()) < Fold/2 {
				s.Home[i] = int8(p)
				folded[p]++
			}
		}
	}
	for p, n := range folded {
		if n >= Goal {
			t.Finish(uint64(p))
		}
	}
}

// drive turns a dog, and makes it run.
func (w *Walker) drive(in Input) {
	const turn, fast, slow = 3.2, 19.0, 7.0
	if in.Left {
		w.Heading -= turn * dt
	}
	if in.Right {
		w.Heading += turn * dt
	}
	speed := slow
	if in.Run {
		speed = fast
	}
	want := mgl64.Rotate2D(w.Heading).Mul2x1(mgl64.Vec2{speed, 0})
	w.Speed = w.Speed.Add(want.Sub(w.Speed).Mul(6 * dt))
	w.walk()
}

// flock makes a sheep stay near the others, but not too near, and flee from dogs.
func (w *Walker) flock(self int, all *[Sheep]Walker, dogs []Walker) {
	const sight, close, fright, fastest = 14.0, 2.2, 16.0, 12.0
	var center, pace, apart mgl64.Vec2
	seen := 0.0
	for i := range all {
		away := w.At.Sub(all[i].At)
		if i == self || away.LenSqr() > sight*sight {
			continue
		}
		seen++
		center, pace = center.Add(all[i].At), pace.Add(all[i].Speed)
		if away.LenSqr() < close*close {
			if far := away.Len(); far > 0 {
				apart = apart.Add(away.Mul((close - far) / far))
			}
		}
	}
	force := apart.Mul(14).Sub(w.Speed.Mul(0.8))
	if seen > 0 {
		force = force.Add(center.Mul(1 / seen).Sub(w.At).Mul(0.5))
		force = force.Add(pace.Mul(1 / seen).Sub(w.Speed).Mul(0.9))
	}
	for _, dog := range dogs {
		away := w.At.Sub(dog.At)
		if far := away.Len(); far > 0 && far < fright {
			force = force.Add(away.Mul(60 * math.Exp(-far/5) / far))
		}
	}
	w.Speed = w.Speed.Add(force.Mul(dt))
	if speed := w.Speed.Len(); speed > fastest {
		w.Speed = w.Speed.Mul(fastest / speed)
	}
	w.Heading = math.Atan2(w.Speed.Y(), w.Speed.X())
	w.walk()
}

// walk moves the walker for one frame, within the field.
func (w *Walker) walk() {
	w.At = w.At.Add(w.Speed.Mul(dt))
	for i := range w.At {
		if in := mgl64.Clamp(w.At[i], 0, Field); in != w.At[i] {
			w.At[i], w.Speed[i] = in, -w.Speed[i]/2
		}
	}
}
