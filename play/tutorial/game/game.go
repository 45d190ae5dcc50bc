// Package game has the rules of Hot Potato, and knows nothing of screens and networks.
package game

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Sizes are in pixels, times in frames: there are 60 in a second.
const (
	Seats         = 4
	Width, Height = 640, 360
	Radius        = 16
	Length        = 20 * 60
)

var middle = fixed.Vec2{X: fixed.One * Width / 2, Y: fixed.One * Height / 2}

// Input is what one player does in one frame.
type Input struct{ Left, Right, Up, Down bool }

// Runner is a player on the field.
type Runner struct {
	At, Speed fixed.Vec2
	Burns     uint64 // how often the potato went off in its hands
}

// State is the whole game in one frame.
type State struct {
	Runners [Seats]Runner
	Holder  uint64 // who has the potato
	From    uint64 // who had it before: it cannot go straight back
	Fuse    uint64 // frames until it goes off
	Calm    uint64 // frames until it can be passed on
	Rng     rng.Xorshift128Plus
}

// Passed and Bang are heard and seen, each at a place.
var (
	Passed = effects.OneShot[fixed.Vec2](1, "passed")
	Bang   = effects.OneShot[fixed.Vec2](2, "bang")
)

// Rules are all that Tickback needs to know.
var Rules = rollback.Game[State, Input]{
	Init:    func(s *State) { *s = New(1) },
	Step:    step,
	Effects: []effects.Declaration{Passed, Bang},
}

// New returns the state in which a match begins.
func New(seed uint64) State {
	s := State{Rng: rng.New(seed)}
	spoke := fixed.Vec2{X: fixed.One * 150}
	for p := range s.Runners {
		s.Runners[p].At = middle.Add(spoke)
		spoke = spoke.Perp() // a quarter of a turn
	}
	s.light()
	return s
}

// light gives a new potato to a runner drawn at random.
func (s *State) light() {
	s.Holder = rng.Must(s.Rng.Bounded(Seats))
	s.From, s.Calm = s.Holder, 30
	s.Fuse = 2*60 + rng.Must(s.Rng.Bounded(4*60))
}

// step computes the next frame from the state and the players' inputs.
func step(s *State, t *rollback.Tick[Input]) {
	for p := range t.Players() {
		in := t.Input(p)
		if t.Status(p) == rollback.Disconnected {
			in = bot(s, uint64(p))
		}
		s.run(uint64(p), in)
	}
	s.touch(t.Effects())
	if s.Fuse--; s.Fuse == 0 {
		unlucky := &s.Runners[s.Holder]
		unlucky.Burns++
		Bang.Emit(t.Effects(), uint32(s.Holder), unlucky.At)
		s.light()
	}
}

// run moves a runner. The holder is a little faster.
func (s *State) run(p uint64, in Input) {
	force := fixed.One / 3
	if p == s.Holder {
		force = fixed.One * 2 / 5
	}
	r, push := &s.Runners[p], fixed.Vec2{X: axis(in.Left, in.Right), Y: axis(in.Up, in.Down)}
	r.Speed = r.Speed.Add(push.Normalise().Scale(force)).Scale(fixed.One * 9 / 10)
	to := r.At.Add(r.Speed)
	r.At.X = to.X.Clamp(fixed.One*Radius, fixed.One*(Width-Radius))
	r.At.Y = to.Y.Clamp(fixed.One*Radius, fixed.One*(Height-Radius))
}

func axis(less, more bool) (n fixed.Num) {
	if less {
		n -= fixed.One
	}
	if more {
		n += fixed.One
	}
	return n
}

// touch passes the potato to the runner that its holder runs into.
func (s *State) touch(out *effects.Emitter) {
	if s.Calm > 0 {
		s.Calm--
		return
	}
	p := s.target()
	if at := s.Runners[p].At; at.Distance(s.Runners[s.Holder].At) < fixed.One*2*Radius {
		s.Holder, s.From, s.Calm = p, s.Holder, 30
		Passed.Emit(out, uint32(p), at)
	}
}

// target returns the runner nearest to the holder, except the one who had it before.
func (s *State) target() (best uint64) {
	far := fixed.Max
	for p := range uint64(Seats) {
		d := s.Runners[p].At.Distance(s.Runners[s.Holder].At)
		if p != s.Holder && p != s.From && d < far {
			best, far = p, d
		}
	}
	return best
}

// bot plays for an absent player. With the potato it runs to the target. Without it, it runs
// away, in circles, and stays out of the corners.
func bot(s *State, p uint64) Input {
	me, holder := s.Runners[p].At, s.Runners[s.Holder].At
	way := s.Runners[s.target()].At.Sub(me)
	if p != s.Holder {
		away := me.Sub(holder).Normalise().Rotate(fixed.Half)
		way = away.Scale(fixed.One * 120).Add(middle.Sub(me).Scale(fixed.One * 3 / 5))
	}
	const enough = fixed.One * 4
	return Input{Left: way.X < -enough, Right: way.X > enough, Up: way.Y < -enough, Down: way.Y > enough}
}
