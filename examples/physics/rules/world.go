package rules

import (
	"github.com/jakecoffman/cp/v2"

	"github.com/tickback/tickback/rng"
)

// The platform reaches from Edge to the same distance from the right, with its surface a little above Top. A
// smaller one moves above it.
const (
	Edge, Top = 230.0, 400.0
	LiftWidth = 120.0

	liftLeft    = (Width - LiftWidth) / 2
	liftTop     = 235.0
	gravity     = 1300.0
	bottom      = Height + 80.0 // what is below it has fallen
	restitution = 0.25
)

// Numbers, sizes and masses of the things on the platform.
const (
	crates = 9
	balls  = 5

	playerSize, playerMass = 18.0, 2.0
	crateSize, crateMass   = 17.0, 0.9
	ballSize, ballMass     = 11.0, 0.35
)

// New returns the state in which a match with this seed begins.
func New(seed uint64) *State {
	s := &State{Space: cp.NewSpace(), Rng: rng.New(seed)}
	s.Space.SetGravity(cp.Vector{Y: gravity})
	s.Space.SetDamping(0.9)
	ground := cp.NewSegment(s.Space.StaticBody, cp.Vector{X: Edge, Y: Top}, cp.Vector{X: Width - Edge, Y: Top}, 8)
	ground.SetFriction(0.9)
	ground.SetElasticity(restitution)
	s.Space.AddShape(ground)

	s.Lift = s.Space.AddBody(cp.NewKinematicBody())
	s.Lift.SetPosition(cp.Vector{X: liftLeft, Y: liftTop})
	lift := cp.NewSegment(s.Lift, cp.Vector{}, cp.Vector{X: LiftWidth}, 6)
	lift.SetFriction(1)
	s.Space.AddShape(lift)

	for p := range Seats {
		t := s.add(&Thing{Radius: playerSize, Player: p}, playerMass)
		t.Body.SetPosition(cp.Vector{X: Edge + (Width-2*Edge)*float64(2*p+1)/(2*Seats), Y: Top - 60})
		s.Players[p] = t
	}
	for i := range crates {
		row, column := i/3, i%3
		t := s.add(&Thing{Radius: crateSize, Crate: true, Player: nobody}, crateMass)
		t.Body.SetPosition(cp.Vector{X: Width/2 + float64(column-1)*2.1*crateSize, Y: Top - 8 - crateSize*float64(2*row+1)})
	}
	for range balls {
		t := s.add(&Thing{Radius: ballSize, Player: nobody}, ballMass)
		t.Body.SetPosition(s.above())
	}
	return s
}

// add puts a thing into the space.
func (s *State) add(t *Thing, mass float64) *Thing {
	t.By = nobody
	moment := cp.MomentForCircle(mass, 0, t.Radius, cp.Vector{})
	if t.Crate {
		moment = cp.MomentForBox(mass, 2*t.Radius, 2*t.Radius)
	}
	t.Body = s.Space.AddBody(cp.NewBody(mass, moment))
	t.Body.UserData = t
	shape := cp.NewCircle(t.Body, t.Radius, cp.Vector{})
	if t.Crate {
		shape = cp.NewBox(t.Body, 2*t.Radius, 2*t.Radius, 0.5)
	}
	shape.SetFriction(0.7)
	shape.SetElasticity(restitution)
	s.Space.AddShape(shape)
	s.Things = append(s.Things, t)
	return t
}

// remove takes a thing out of the space.
func (s *State) remove(t *Thing) {
	t.Body.EachShape(func(shape *cp.Shape) { s.Space.RemoveShape(shape) })
	s.Space.RemoveBody(t.Body)
	for i := range s.Things {
		if s.Things[i] == t {
			s.Things = append(s.Things[:i], s.Things[i+1:]...)
			break
		}
	}
}

// above returns a place over the platform from which something falls.
func (s *State) above() cp.Vector {
	chance := float64(s.Rng.Next()>>40) / (1 << 24)
	return cp.Vector{X: Edge + 40 + chance*(Width-2*Edge-80), Y: 40}
}
