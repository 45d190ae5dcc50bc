// Package room is the game between people who meet in a room, whatever they see it on: each program that shows it
// provides a [Screen].
package room

import (
	"context"
	"log"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/rollback/effects"

	"github.com/tickback/tickback/cmd/cli/internal/scaffold/starter/rules"
)

// Screen is where the game is played.
type Screen interface {
	Say(text string)  // shows a line
	Hint(text string) // shows another line, below the first one
	//starter:!server
	Struck() bool // reports, once, that the player wants to begin
	//starter:end
	Held() rules.Input    // what the player does now
	Chime(at rules.Point) // sounds where a coin was collected
}

// Game is a room, and the match that is played in it.
type Game struct {
	room   *online.Room
	match  match // nil before the first one
	me     int   // our player, or -1
	screen Screen
	visit  // how far the match is
}

// Open enters the room at an address, or makes one there; in a page, "" means the page's own address.
func Open(address string, s Screen) (*Game, error) {
	cfg := place
	cfg.GameID, cfg.Build = "starter", rules.Build
	room, err := online.Open(context.Background(), address, cfg)
	if err != nil {
		return nil, err
	}
	return &Game{room: room, me: -1, screen: s}, nil
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

// show sounds what has happened in the match, and logs its events, which it returns.
func (g *Game) show() []tickback.Event {
	events := g.match.Events()
	for _, e := range events {
		log.Println(e) // of a page, in the browser's console
	}
	for _, e := range g.match.Effects() {
		if rules.Chime.Is(&e) && e.What == effects.Started {
			g.screen.Chime(rules.Chime.Payload(&e))
		}
	}
	return events
}
