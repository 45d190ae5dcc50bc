//go:build !starter_world

package rules

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

const (
	Goal       = 10         // coins win
	CoinRadius = Radius / 2 // in pixels
)

// State is the whole game in one frame. It has no pointers, slices or maps, so Tickback can
// copy, compare, hash and send it.
type State struct {
	Players Players
	Coin    Point // the one on the field
	Rng     rng.Xorshift128Plus
}

// Game is everything that Tickback needs to know.
var Game = rollback.Game[State, Input]{
	Init: func(s *State) { *s = New(1) },
	Step: step, Effects: []effects.Declaration{Chime},
}

// Start makes the state in which a match begins.
var Start = tickback.Seeded(New)

// New returns the state in which a match with this seed begins.
func New(seed uint64) State {
	s := State{Players: placed(), Rng: rng.New(seed)}
	s.drop()
	return s
}

// drop places a coin somewhere on the field.
func (s *State) drop() {
	s.Coin.X = Radius + int32(rng.Must(s.Rng.Bounded(Width-2*Radius)))
	s.Coin.Y = Radius + int32(rng.Must(s.Rng.Bounded(Height-2*Radius)))
}

// step computes the next frame from the state and the players' inputs.
func step(s *State, t *rollback.Tick[Input]) {
	for p := range t.Players() {
		in, player := t.Input(p), &s.Players[p]
		if away(t, p) {
			in = Seek(p, s)
		}
		if player.run(in); player.touches(s.Coin) {
			Chime.Emit(t.Effects(), uint32(p), player.At)
			s.drop()
			s.Players.collect(p, t)
		}
	}
}

// Seek is the bot's strategy: it runs to the coin.
func Seek(p rollback.Player, s *State) Input { return s.Players[p].At.toward(s.Coin) }

// All returns the players, to draw them.
func (s *State) All() Players { return s.Players }

// AppendCoins appends where coins are, to draw them.
func (s *State) AppendCoins(list []Point) []Point { return append(list, s.Coin) }
