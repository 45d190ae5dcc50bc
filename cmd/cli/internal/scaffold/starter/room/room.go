// Package room is the game between people who meet in a room, whatever they see it on: each program that shows it
// provides a [Screen].
package room

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

// Screen is where the game is played.
type Screen interface {
	Say(text string)      // shows a line
	Hint(text string)     // shows another line, below the first one
	Struck() bool         // reports, once, that the player wants to begin
	Held() rules.Input    // what the player does now
	Chime(at rules.Point) // sounds where a coin was collected
}

// Game is a room, and the match that is played in it.
type Game struct {
	room   *online.Room
	match  *tickback.Match[rules.State, rules.Input] // nil before the first one
	over   bool
	screen Screen
}

// Open enters the room at an address, or makes one there; in a page, "" means the page's own address.
func Open(address string, s Screen) (*Game, error) {
	room, err := online.Open(context.Background(), address, online.Config{GameID: "starter", Build: Build, Seats: rules.Seats})
	if err != nil {
		return nil, err
	}
	return &Game{room: room, screen: s}, nil
}

// Link returns the address that others need to join.
func (g *Game) Link() string { return g.room.Link() }

// Background returns update as a function that is also called while nobody looks.
func (g *Game) Background(update func() error) func() error { return g.room.Background(update) }

// Close leaves the room.
func (g *Game) Close() {
	if g.match != nil {
		g.match.Close()
	}
	g.room.Close()
}

// View returns what to draw, which is valid until the next Update. Without a match, its states are nil.
func (g *Game) View() (v tickback.View[rules.State]) {
	if g.match != nil {
		v = g.match.View()
	}
	return v
}

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
		Players: rules.Seats,
		Sample:  func(tickback.Player) rules.Input { return g.screen.Held() },
		Match:   tickback.Parameters{Seed: rand.Uint64()}, // the match uses those of the host
		Start:   tickback.Seeded(rules.New),
	})
	g.over = false
	g.screen.Say(fmt.Sprintf("You are player %d: the arrows, or W, A, S and D.", g.room.Me().Seat+1))
	g.screen.Hint("")
	return err
}

// play runs the frames that are due, and ends the match when it is over.
func (g *Game) play() {
	_, err := g.match.Update()
	for _, e := range g.match.Events() {
		log.Println(e) // of a page, in the browser's console
	}
	for _, e := range g.match.Effects() {
		if rules.Chime.Is(&e) && e.What == effects.Started {
			g.screen.Chime(rules.Chime.Payload(&e))
		}
	}
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
