package rules

import (
	"math"

	"github.com/jakecoffman/cp/v2"

	"github.com/tickback/tickback/rollback"
)

// What players can do. Speeds are in pixels a second, times in frames.
const (
	fastest   = 330.0 // the maximum speed at which a player rolls by itself
	push      = 4400.0
	inTheAir  = 0.45 // the fraction of the push that works in the air
	jump      = 560.0
	dash      = 560.0
	dashRest  = 50
	touchLast = 180 // how long the last touch counts
)

// step computes the next frame from the state and what the players do. A bot plays for players who are not
// there.
func step(s *State, t *rollback.Tick[Input]) {
	if s.Frames == 0 {
		for p := int(t.Players()); p < Seats; p++ {
			s.remove(s.Players[p])
		}
	}
	s.Lift.SetVelocity(150*math.Cos(float64(s.Frames)/70), 0)
	for p := range t.Players() {
		in := t.Input(p)
		if t.Status(p) == rollback.Disconnected {
			in = Seek(p, s)
		}
		s.Players[p].act(in)
	}
	s.Space.Step(1.0 / 60)
	for _, thing := range s.Things {
		thing.touch()
	}
	for _, thing := range s.Things {
		if p := thing.Body.Position(); p.Y > bottom {
			s.fell(thing)
		}
	}
	s.Frames++
	if result, over := s.result(); over {
		t.Finish(result)
	}
}

// act applies what the player does, as far as that is possible.
func (t *Thing) act(in Input) {
	t.Rest -= min(t.Rest, 1)
	way := axis(in.Left, in.Right)
	v, at := t.Body.Velocity(), t.Body.Position()
	force := way * push
	if !t.Rests {
		force *= inTheAir
	}
	if v.X*way < fastest {
		t.Body.ApplyForceAtWorldPoint(cp.Vector{X: force}, at)
	}
	if in.Jump && t.Rests {
		t.Body.SetVelocity(v.X, math.Min(v.Y, 0)-jump)
		t.Rests = false
	}
	if in.Dash && t.Rest == 0 && way != 0 {
		t.Body.ApplyImpulseAtWorldPoint(cp.Vector{X: way * dash * playerMass, Y: -50}, at)
		t.Rest = dashRest
	}
}

// axis returns the direction that two buttons give.
func axis(less, more bool) (way float64) {
	if less {
		way--
	}
	if more {
		way++
	}
	return way
}

// touch records what touches the thing: a player, a thing that a player has pushed, or the ground.
func (t *Thing) touch() {
	t.Rests = false
	if t.Since++; t.Since > touchLast {
		t.By = nobody
	}
	t.Body.EachArbiter(func(a *cp.Arbiter) {
		body, second := a.Bodies()
		normal := a.Normal() // from t to the other
		if body == t.Body {
			body = second
		} else {
			normal = normal.Neg()
		}
		t.Rests = t.Rests || normal.Y > 0.5
		other, moves := body.UserData.(*Thing)
		switch {
		case !moves:
		case other.Player != nobody:
			t.By, t.Since = other.Player, 0
		case other.By != nobody && other.By != t.Player && t.Player != nobody && other.Body.Velocity().Length() > 80:
			t.By, t.Since = other.By, other.Since
		}
	})
}

// fell gives a point to the player who made a thing fall, and puts the thing back.
func (s *State) fell(t *Thing) {
	if t.Player != nobody && t.By != nobody {
		s.Points[t.By]++
	}
	t.By, t.Since, t.Rest, t.Rests = nobody, 0, 0, false
	t.Body.SetPosition(s.above())
	t.Body.SetAngle(0)
	t.Body.SetAngularVelocity(0)
	t.Body.SetVelocity(0, 0)
}

// result returns how the match ended, and whether it is over.
func (s *State) result() (result uint64, over bool) {
	most, result := uint32(0), uint64(Draw)
	for p, points := range s.Points {
		switch {
		case points > most:
			most, result = points, uint64(p)
		case points == most:
			result = Draw
		}
	}
	return result, most >= Goal && result != Draw || s.Frames >= Limit
}

// Seek returns what a bot does: it goes for the nearest other player, dashes when it is close, and stays away
// from the ends of the platform.
func Seek(p rollback.Player, s *State) Input {
	me := s.Players[p]
	at := me.Body.Position()
	nearest, far := (*Thing)(nil), math.Inf(1)
	for _, t := range s.Things {
		if t.Player == nobody || t == me {
			continue
		}
		if d := t.Body.Position().Sub(at); math.Hypot(d.X, d.Y) < far {
			nearest, far = t, math.Hypot(d.X, d.Y)
		}
	}
	if nearest == nil {
		return Input{}
	}
	to := nearest.Body.Position()
	if at.X < Edge+40 {
		return Input{Right: true, Jump: at.Y > Top-playerSize}
	}
	if at.X > Width-Edge-40 {
		return Input{Left: true, Jump: at.Y > Top-playerSize}
	}
	stuck := math.Abs(me.Body.Velocity().X) < 15 && s.Frames%20 == 0
	return Input{
		Left: to.X < at.X-4, Right: to.X > at.X+4,
		Jump: stuck || to.Y < at.Y-60 && s.Frames%45 == 0,
		Dash: far < 110 && math.Abs(to.Y-at.Y) < 25,
	}
}
