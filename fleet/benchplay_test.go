package fleet_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/internal/floor"
	"github.com/tickback/tickback/session"
)

// One operation is a second of a match of the arena, planned and checked; the floor is
// the same plan without a referee: the machines and the network alone.
func BenchmarkPlay(b *testing.B) {
	start := func(p session.Parameters) (func(*arena.State), error) {
		return func(s *arena.State) { *s = arena.New(p.Seed) }, nil
	}
	for _, n := range []int{2, 8} {
		p, err := fleet.Draw(3, "mobile", n, 20*time.Second)
		if err != nil {
			b.Fatal(err)
		}
		p.Faults, p.Links, p.Matches, p.HashEvery, p.MaxOrders = nil, nil, 1, 1, 0
		for i := range p.Machines { // all are there at once
			p.Machines[i].Late, p.Machines[i].Drift = 0, 0
		}
		seconds := int(p.Frames) / p.TickRate
		b.Run(fmt.Sprintf("%d_players", n), func(b *testing.B) {
			floor.CompareWhole(b, seconds, func() { unchecked(b, p) }, func() {
				res, err := fleet.Play(arena.Game(0), p, fleet.Options[arena.State, arena.Input]{Start: start})
				if err != nil || !res.OK() {
					b.Fatal(err, res.Violations)
				}
			})
		})
	}
}

// unchecked plays the machines of a plan, and looks at nothing.
func unchecked(b *testing.B, p fleet.Plan) {
	in, err := fleet.NewInputs[arena.Input](p.Seed)
	if err != nil {
		b.Fatal(err)
	}
	f, err := fleet.New(fleet.Setup[arena.State, arena.Input]{
		Game: arena.Game(p.Seed), Players: p.Players(), Seats: seats(p), Seed: p.Seed, Link: p.Link, Frame: p.Framed,
		Input: func(player session.Player, _ int) arena.Input { return in.Next(player) },
		Configure: func(i int, c *session.Config) {
			m := p.Machines[i]
			c.Window, c.AutoDelay.On, c.TickRate, c.Match.Frames = m.Window, m.AutoDelay, p.TickRate, p.Frames
			for player := range m.Players.All() {
				c.Delay[player] = m.Delay
			}
		},
	})
	if err != nil {
		b.Fatal(err)
	}
	f.RunUntil(p.Until, func() bool {
		_, over := f.Peers[0].Outcome()
		return over
	})
}

func seats(p fleet.Plan) (list []session.PlayerSet) {
	for _, m := range p.Machines {
		list = append(list, m.Players)
	}
	return list
}
