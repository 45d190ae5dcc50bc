//go:build !starter_server

package room

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"

	"github.com/tickback/tickback/cmd/cli/internal/scaffold/starter/rules"
)

// match is a match between peers.
type match = *tickback.Match[rules.State, rules.Input]

// visit is how far a match between peers is.
type visit struct {
	over bool
}

// place is a seat for each player.
var place = online.Config{Seats: rules.Seats}

// Update does what is due. It is called for each picture.
func (g *Game) Update() error {
	if g.match != nil && !g.over {
		g.play()
		return nil
	}
	if err := g.room.Err(); err != nil {
		return err
	}
	if !g.over {
		g.screen.Say(fmt.Sprintf("%d of %d are here. Invite others by the address of this room.", len(g.room.State().Members), rules.Seats))
	}
	if g.room.IsHost() {
		g.screen.Hint("Space begins a match; bots take the places that are free.")
		if g.screen.Struck() {
			if err := g.room.Start(); err != nil {
				g.screen.Say(err.Error())
			}
		}
	}
	if g.room.Started() {
		return g.begin()
	}
	return nil
}

// begin plays the match of the room, from its beginning or from now on.
func (g *Game) begin() (err error) {
	g.match, err = online.Play(g.room, rules.Game, tickback.Options[rules.State, rules.Input]{
		Players: rules.Seats, TickRate: rules.FramesPerSecond,
		Sample: func(tickback.Player) rules.Input { return g.screen.Held() },
		Match:  tickback.Parameters{Seed: rand.Uint64()}, // the match uses those of the host
		Start:  rules.Start,
	})
	g.me, g.over = g.room.Me().Seat, false
	g.screen.Say(fmt.Sprintf("You are player %d: the arrows, or W, A, S and D.", g.me+1))
	g.screen.Hint("")
	return err
}

// play runs the frames that are due, and ends the match when it is over.
func (g *Game) play() {
	_, err := g.match.Update()
	g.show()
	end, over := g.match.Outcome() // check this before an error: the others may have left already
	switch {
	case over && end.Finished:
		g.screen.Say(fmt.Sprintf("Player %d wins.", end.Result+1))
	case over:
		g.screen.Say("The match is over.")
	case err != nil:
		g.screen.Say(g.room.Explain(err).Error())
	default:
		return
	}
	g.over = true
	g.match.Close()
	var removed *tickback.RemovedError
	if errors.As(err, &removed) || errors.Is(err, tickback.ErrClosed) {
		if err := g.begin(); err != nil { // the others have continued without us
			g.screen.Say(err.Error())
		}
	}
}
