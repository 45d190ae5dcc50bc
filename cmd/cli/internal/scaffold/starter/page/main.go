//go:build js

// Command page is the game in a browser: people meet in a room, and play from machine to
// machine. "go run ./pack" builds it.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/rollback/effects"

	"github.com/tickback/tickback/cmd/cli/internal/scaffold/starter/rules"
)

// Build identifies versions that can play together: change it whenever the rules change.
const Build = "1"

func main() {
	screen := newScreen()
	room, err := online.Open(context.Background(), "", online.Config{GameID: "starter", Build: Build, Seats: rules.Seats})
	if err != nil {
		screen.say(err.Error())
		return
	}
	g := &game{room: room, screen: screen}
	update := room.Background(g.update) // which also calls it while the page is hidden
	for {
		screen.wait()
		if err := update(); err != nil {
			screen.say(err.Error())
			return
		}
		if g.match != nil {
			screen.draw(g.match.View())
		}
	}
}

// game has the room, and the match that is played in it.
type game struct {
	room   *online.Room
	match  *tickback.Match[rules.State, rules.Input] // nil before the first one
	over   bool
	screen *screen
}

// update does what is due. It is called for each picture.
func (g *game) update() error {
	if g.match != nil && !g.over {
		g.play()
		return nil
	}
	if err := g.room.Err(); err != nil {
		return err
	}
	if !g.over {
		g.screen.say(fmt.Sprintf("%d of %d are here. Invite others by the address of this page.", len(g.room.State().Members), rules.Seats))
	}
	if g.room.IsHost() {
		g.screen.hint("Space begins a match; bots take the places that are free.")
		if g.screen.pressed("Space") {
			if err := g.room.Start(); err != nil {
				g.screen.say(err.Error())
			}
		}
	}
	if g.room.Started() {
		return g.begin()
	}
	return nil
}

// begin plays the match of the room, from its beginning or from now on.
func (g *game) begin() (err error) {
	g.match, err = online.Play(g.room, rules.Game, tickback.Options[rules.State, rules.Input]{
		Players: rules.Seats,
		Sample:  func(tickback.Player) rules.Input { return g.screen.held() },
		Match:   tickback.Parameters{Seed: rand.Uint64()}, // the match uses those of the host
		Start:   tickback.Seeded(rules.New),
	})
	g.over = false
	g.screen.say(fmt.Sprintf("You are player %d: the arrows, or W, A, S and D.", g.room.Me().Seat+1))
	g.screen.hint("")
	return err
}

// play runs the frames that are due, and ends the match when it is over.
func (g *game) play() {
	_, err := g.match.Update()
	for _, e := range g.match.Events() {
		log.Println(e) // in the browser's console
	}
	for _, e := range g.match.Effects() {
		if rules.Chime.Is(&e) && e.What == effects.Started {
			g.screen.chime(rules.Chime.Payload(&e))
		}
	}
	end, over := g.match.Outcome() // check this before an error: the others may have left already
	switch {
	case over && end.Finished:
		g.screen.say(fmt.Sprintf("Player %d wins.", end.Result+1))
	case over:
		g.screen.say("The match is over.")
	case err != nil:
		g.screen.say(g.room.Explain(err).Error())
	default:
		return
	}
	g.over = true
	g.match.Close()
	var removed *tickback.RemovedError
	if errors.As(err, &removed) || errors.Is(err, tickback.ErrClosed) {
		if err := g.begin(); err != nil { // the others have continued without us
			g.screen.say(err.Error())
		}
	}
}
