package soak

import (
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// soak plays a plan with these data of the match, as long as goOn says so. The players do anything
// at random; those of a game with orders order what its bots and scripts do.
func (g *typed[S, I]) soak(p fleet.Plan, data []byte, goOn func() bool) (fleet.Result, error) {
	o := fleet.Options[S, I]{
		Start:    func(p session.Parameters) (func(*S), error) { return g.soakStart(p, data) },
		Progress: func(_, _ time.Duration) bool { return goOn() },
	}
	if g.MaxOrders > 0 {
		o.Orders = g.soakOrders(p.Seed)
	}
	return fleet.Play(g.Game, p, o)
}

// soakOrders returns what the players order: by the bots and the scripts of the game in turn, from
// one that depends on the seed; nil if they order nothing.
func (g *typed[S, I]) soakOrders(seed uint64) func(rollback.Player, int, *S) []byte {
	var players []*games.Player[S, I]
	for _, b := range g.Bots {
		if b.Orders != nil {
			players = append(players, &games.Player[S, I]{Order: b.Orders(seed)})
		}
	}
	for _, s := range g.Scripts {
		if s.Orders != nil {
			order := s.Orders(seed)
			players = append(players, &games.Player[S, I]{Order: func(b []byte, p tickback.Player, f tickback.Frame, _ *S) []byte {
				return order(b, p, f)
			}})
		}
	}
	if players == nil {
		return nil
	}
	return func(p rollback.Player, n int, s *S) []byte {
		return players[(seed+uint64(p))%uint64(len(players))].Orders(p, rollback.Frame(n), s)
	}
}

// seedsToTry is how many seeds are tried until the game takes one.
const seedsToTry = 20

// soakStart is Spec.Start. Seeds of plans are any number, and a game may take only
// some.
func (g *typed[S, I]) soakStart(p session.Parameters, data []byte) (init func(*S), err error) {
	for k := range uint64(seedsToTry) {
		init, err = g.Begin(tickback.Parameters{Seed: p.Seed%(1<<31) + k, Frames: p.Frames, Data: data})
		if err == nil {
			return init, nil
		}
	}
	return nil, err
}
