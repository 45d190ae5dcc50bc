package soak

import (
	"fmt"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/fleet/hosted"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// soak plays a plan with this data of the match, as long as goOn returns true. The players' inputs are random; in a
// game with orders, they take the orders of its bots and scripts.
func (g *typed[S, I]) soak(p fleet.Plan, data []byte, units *census, goOn func() bool) (fleet.Result, error) {
	o := fleet.Options[S, I]{
		Start:    func(p session.Parameters) (func(*S), error) { return g.soakStart(p, data) },
		Progress: func(now, length time.Duration) bool { units.passed(now, length); return goOn() },
	}
	if g.MaxOrders > 0 {
		o.Orders = g.counted(p.TickRate, units, g.soakOrders(p.Seed))
	}
	return fleet.Play(g.Game, p, o)
}

// counted wraps a function that makes orders: the new function returns the same, and counts the units on each machine
// once a second.
func (g *typed[S, I]) counted(rate int, units *census, orders func(rollback.Player, int, *S) []byte) func(rollback.Player, int, *S) []byte {
	if g.Units == nil || orders == nil {
		return orders
	}
	return func(p rollback.Player, n int, s *S) []byte {
		if n > 0 && n%rate == 0 { // there may be no units before the first step
			units.count(g.Units(s))
		}
		return orders(p, n, s)
	}
}

// soakOrders returns the players' orders: those of the game's bots and scripts in turn, beginning with one that
// depends on the seed; nil if there are no orders.
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

// refusesServer returns the reason why a server cannot own matches of the game, or nil.
func (g *typed[S, I]) refusesServer() error {
	game, plain := g.Game.(rollback.Game[S, I])
	switch {
	case g.Served == nil:
		return fmt.Errorf("no server plays %s", g.ID)
	case !plain:
		return fmt.Errorf("the states of %s are no values, which naive clients need", g.ID)
	case game.Predict != nil:
		return fmt.Errorf("%s predicts inputs itself, which naive clients do not", g.ID)
	}
	return nil
}

// soakServer plays a plan in which a server owns the match, as long as goOn returns true. The players are the game's
// default bots.
func (g *typed[S, I]) soakServer(p hosted.Plan, goOn func() bool) (hosted.Result, error) {
	if err := g.refusesServer(); err != nil {
		return hosted.Result{}, err
	}
	bots := map[uint64]func(tickback.Player, tickback.Frame, *S) I{}
	game := hosted.Game[S, I]{
		Game:  g.Game.(rollback.Game[S, I]),
		Start: func(p session.Parameters) (func(*S), error) { return g.soakStart(p, nil) },
		Sight: g.Served.Sight, Correct: g.Served.Correct, Check: g.Served.Check, Carry: g.Served.Carry, StandIn: g.Served.StandIn,
		Input: func(m hosted.Moment[S]) I {
			bot := bots[m.Seed]
			if bot == nil {
				bot = g.Bots[0].New(m.Seed)
				bots[m.Seed] = bot
			}
			in := bot(m.Player, m.Frame, m.State)
			if g.Served.Seen != nil {
				in = g.Served.Seen(in, m.Seen)
			}
			return in
		},
	}
	return hosted.Play(game, p, hosted.Options[S, I]{Progress: func(_, _ time.Duration) bool { return goOn() }})
}

// seedsToTry is how many seeds are tried until the game accepts one.
const seedsToTry = 20

// soakStart calls Spec.Start. Seeds of plans are arbitrary, and a game may only accept some, so it tries others.
func (g *typed[S, I]) soakStart(p session.Parameters, data []byte) (init func(*S), err error) {
	for k := range uint64(seedsToTry) {
		init, err = g.Begin(tickback.Parameters{Seed: p.Seed%(1<<31) + k, Frames: p.Frames, Data: data})
		if err == nil {
			return init, nil
		}
	}
	return nil, err
}
