package games

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/game"
)

// Player plays in a match: a bot, a script, or a person. The zero Player does nothing.
type Player[S any, I comparable] struct {
	// Input and Order are as in [game.Bot]; either may be nil.
	Input func(p tickback.Player, f tickback.Frame, s *S) I
	Order func(b []byte, p tickback.Player, f tickback.Frame, s *S) []byte

	buffer []byte
}

// Sample returns a player's input for a frame.
func (g *Player[S, I]) Sample(p tickback.Player, f tickback.Frame, s *S) (in I) {
	if g.Input != nil {
		in = g.Input(p, f, s)
	}
	return in
}

// Orders returns a player's orders for a frame, valid until the next call.
func (g *Player[S, I]) Orders(p tickback.Player, f tickback.Frame, s *S) []byte {
	if g.Order == nil {
		return nil
	}
	g.buffer = g.Order(g.buffer[:0], p, f, s)
	return g.buffer
}

// PlayerOf returns a bot that plays a match with this seed.
func PlayerOf[S any, I comparable](bot game.Bot[S, I], seed uint64) *Player[S, I] {
	g := new(Player[S, I])
	if bot.New != nil {
		g.Input = bot.New(seed)
	}
	if bot.Orders != nil {
		g.Order = bot.Orders(seed)
	}
	return g
}
