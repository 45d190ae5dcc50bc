package tanksview

import (
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/predict/smooth"
	"github.com/tickback/tickback/rollback/effects"
)

// View shows one match. Make one with [New]. It is not safe for concurrent use.
type View struct {
	Look look.Look
	// Names are the players' names; for "" the player's number is used.
	Names [tanks.MaxPlayers]string
	// Mine are the players on this machine: they are shown as predicted, and the camera follows them.
	Mine tickback.PlayerSet
	// Around is the area that the ground fills, if it is more than the box of a picture.
	Around draw.Box

	bodies  [tanks.MaxPlayers]body
	shots   []shot
	pending []effects.Event // effects of others, to be shown once the others are shown at that moment
	flies   look.Particles
	shake   look.Shake
	camera  camera
	time    float32
	now     tanks.State // the newest prediction
	known   tanks.State // what is known of the others
	frame   tickback.Frame
	started bool
	over    bool
}

// New returns a view; mine are the players on this machine.
func New(l look.Look, mine tickback.PlayerSet) *View { return &View{Look: l, Mine: mine} }

func point(v fixed.Vec2) draw.Point {
	x, y := v.FloatsForDrawing()
	return draw.Point{X: float32(x), Y: float32(y)}
}

func number(n fixed.Num) float32 { return float32(n.FloatForDrawing()) }

// Advance lets dt seconds pass, and shows the session's view.
func (v *View) Advance(dt float32, seen tickback.View[tanks.State]) {
	v.time += dt
	v.correct(seen)
	v.now, v.known, v.frame, v.over = *seen.Current, *seen.After, seen.Frame, !seen.Running
	if seen.Share < 1 {
		v.known = *seen.Before
	}
	for p := range v.bodies {
		if v.Mine.Has(tickback.Player(p)) {
			v.bodies[p].show(p, seen.Previous, seen.Current, float32(seen.Fraction))
		} else {
			v.bodies[p].show(p, seen.Before, seen.After, float32(seen.Share))
		}
		v.age(p, dt)
	}
	v.showShots(seen)
	v.release(moment(seen.Before, seen.After, seen.Share))
	v.camera.advance(v, dt)
	v.flies.Advance(dt)
	v.shake.Advance(dt)
	v.started = true
}

// moment returns the frame at which others are shown.
func moment(before, after *tanks.State, share float64) float64 {
	return float64(before.Frame) + share*(float64(after.Frame)-float64(before.Frame))
}

// Jump shows a state that does not follow the previous one, as in a recording.
func (v *View) Jump(s *tanks.State) {
	v.flies.Clear()
	v.pending = v.pending[:0]
	v.shake, v.camera, v.started = look.Shake{}, camera{}, false
	for p := range v.bodies {
		v.bodies[p] = body{health: float32(s.Tanks[p].Hp) / tanks.FullHp}
		v.bodies[p].late = v.bodies[p].health
	}
}

// How corrections of our own tank are applied.
const (
	snapDistance = 6 * tanks.TankRadius // at this distance or more, the tank jumps
	snapTurn     = 1.5                  // radians
)

// correct records how much the prediction of our own tanks differs from that in the last picture, for the same
// moment.
func (v *View) correct(seen tickback.View[tanks.State]) {
	if !v.started {
		return
	}
	again := seen.Current // the state that the last picture had as the current one
	switch seen.Frame {
	case v.frame:
	case v.frame + 1:
		again = seen.Previous
	default:
		return // too long ago for a comparison
	}
	for p := range v.Mine.All() {
		if int(p) >= len(v.bodies) {
			continue
		}
		then, now, b := &v.now.Tanks[p], &again.Tanks[p], &v.bodies[p]
		if then.Stance != tanks.Alive || now.Stance != tanks.Alive {
			b.off, b.turn = smooth.Offset{}, smooth.Offset{}
			continue
		}
		if then.Pos != now.Pos {
			d := point(then.Pos).Minus(point(now.Pos))
			b.off.Snap, b.off.Fastest = snapDistance, tanks.CorrectionSpeed
			b.off.Add(smooth.Vec{float64(d.X), float64(d.Y)})
		}
		if then.Heading != now.Heading {
			b.turn.Snap = snapTurn
			b.turn.Add(smooth.Vec{smooth.Turn(now.Heading.FloatForDrawing(), then.Heading.FloatForDrawing())})
		}
	}
}

func seconds(dt float32) time.Duration { return time.Duration(float64(dt) * float64(time.Second)) }
