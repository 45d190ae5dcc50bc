// Package rules is the game: one state and one step. It knows nothing of screens, keys and networks, and uses no
// clock, no map order, no floats and no random source except its own, so that every machine computes the same state.
package rules

import (
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Sizes are in pixels. A frame is a sixtieth of a second.
const (
	Seats         = 4
	Width, Height = 640, 360
	Radius        = 14 // of a player
	Speed         = 4  // of a player, in pixels a frame
	Goal          = 10 // coins win
)

// Input is what one player does in one frame.
type Input struct{ Left, Right, Up, Down bool }

// Point is a position on the field.
type Point struct{ X, Y int32 }

// State is the whole game in one frame. It has no pointers, slices or maps, so Tickback can
// copy, compare, hash and send it.
type State struct {
	Players [Seats]Point
	Coins   [Seats]uint32 // that each player has collected
	Coin    Point         // the one on the field
	Rng     rng.Xorshift128Plus
}

// Chime sounds where a coin is collected. Effects are no part of the state: a prediction may have been wrong, and then
// they are cancelled, or never sound twice.
var Chime = effects.OneShot[Point](1, "chime")

// Game is everything that Tickback needs to know.
var Game = rollback.Game[State, Input]{
	Init: func(s *State) { *s = New(1) },
	Step: step, Effects: []effects.Declaration{Chime},
}

// New returns the state in which a match with this seed begins.
func New(seed uint64) State {
	s := State{Rng: rng.New(seed)}
	for p := range s.Players {
		s.Players[p] = Point{Width * int32(p+1) / (Seats + 1), Height / 2}
	}
	s.drop()
	return s
}

// drop places a coin somewhere on the field.
func (s *State) drop() {
	s.Coin.X = Radius + int32(rng.Must(s.Rng.Bounded(Width-2*Radius)))
	s.Coin.Y = Radius + int32(rng.Must(s.Rng.Bounded(Height-2*Radius)))
}

// step computes the next frame from the state and the players' inputs. A bot plays for absent players, and rests in
// one frame of three.
func step(s *State, t *rollback.Tick[Input]) {
	for p := range t.Players() {
		in, at := t.Input(p), &s.Players[p]
		if t.Status(p) == rollback.Disconnected && t.Frame()%3 > 0 {
			in = Seek(p, s)
		}
		at.X = min(max(at.X+Speed*axis(in.Left, in.Right), Radius), Width-Radius)
		at.Y = min(max(at.Y+Speed*axis(in.Up, in.Down), Radius), Height-Radius)
		if dx, dy := at.X-s.Coin.X, at.Y-s.Coin.Y; dx*dx+dy*dy < 4*Radius*Radius {
			Chime.Emit(t.Effects(), uint32(p), *at)
			s.drop()
			if s.Coins[p]++; s.Coins[p] == Goal {
				t.Finish(uint64(p)) // the match is over, and p has won it
			}
		}
	}
}

// axis returns the direction of two buttons.
func axis(less, more bool) (n int32) {
	if less {
		n--
	}
	if more {
		n++
	}
	return n
}

// Seek is the bot's strategy: it runs to the coin.
func Seek(p rollback.Player, s *State) Input {
	at := s.Players[p]
	return Input{
		Left: s.Coin.X <= at.X-Speed, Right: s.Coin.X >= at.X+Speed,
		Up: s.Coin.Y <= at.Y-Speed, Down: s.Coin.Y >= at.Y+Speed,
	}
}
