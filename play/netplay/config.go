package netplay

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
)

// Build tells clients apart that cannot play together. It changes with the rules of a
// match and of what is around it: rounds, scores, bots that stand in.
const Build = "play 1"

// Spectators is how many can watch in a room.
const Spectators = 16

// Machine is what a page or a desktop can do. A nil function is something that it cannot.
// Functions that are done later may say so from any goroutine.
type Machine struct {
	// Copy puts a text into the clipboard, and says whether that worked.
	Copy func(text string, done func(ok bool))
	// Paste reads the clipboard: "" if it may not.
	Paste func(done func(text string))
	// Share offers a link to other programs.
	Share func(link string)
	// Ask asks for a text, where nothing can be typed.
	Ask func(question, text string) (answer string, ok bool)
	// Save gives the player a file.
	Save func(name string, data []byte)
	// Keep remembers where we are for a program that is started again: the link, and the
	// ticket with which the place is taken again. Empty texts forget it.
	Keep func(link, ticket string)
	// Kept returns the ticket that was kept last.
	Kept func() string
}

// Config is what the mode begins with, besides what is chosen on its screens.
type Config struct {
	Machine Machine
	// Page is the address of the page at whose server rooms are made; "" makes none.
	Page string
	// Link is an invitation that is followed at once.
	Link string
	// Create makes a room at once: for Game ("duel" or "arena") with so many Seats.
	Create bool
	Game   string
	Seats  int
	Name   string // "" is that of the settings
	// Frames is how long matches are that we begin; 0 is the usual.
	Frames tickback.Frame
	// Start begins a match whenever so many sit and are connected; 0 leaves it to the host.
	Start int
	// Watch takes no seat.
	Watch bool
	// Build replaces the constant, and Loopback is that of online.Config: for tests.
	Build    string
	Loopback bool
	bout     func() (bout, error) // of a test; nil is that of the game

	way way // to rooms
}

// The games, as the address of a page names them, and rooms and recordings.
const (
	duelID  = duel.RoundID
	arenaID = arena.ID
)

func (c *Config) complete() {
	if c.way == nil {
		c.way = byServer{}
	}
	if c.Game != arenaID {
		c.Game = duelID // "duel" is a round of one
	}
	if c.Seats < rooms.MinSeats || c.Seats > arena.MaxPlayers {
		c.Seats = 4
	}
	if c.Game == duelID {
		c.Seats = 2
	}
	if c.Build == "" {
		c.Build = Build
	}
	if c.Frames > 1<<24 {
		c.Frames = 0
	}
}

// room returns the configuration of a room for a game.
func (c *Config) room(a *app.App, game string) online.Config {
	o := online.Config{
		Game: game, Build: c.Build, Name: nameOf(a, c), Seats: c.Seats, Spectators: Spectators, Loopback: c.Loopback,
	}
	if c.Watch {
		o.Role = rooms.Watcher
	}
	return o
}

// Mode returns the mode for an app.
func Mode(c Config) app.Mode {
	c.complete()
	return app.Mode{
		ID: "online", Label: "Online", Help: "Make a room, send its link, and play from machine to machine",
		Open: func(a *app.App) app.Scene {
			switch {
			case c.Link != "":
				return join(a, c, c.Link)
			case c.Create && c.Page != "":
				return create(a, c)
			}
			return c.way.setup(a, c)
		},
	}
}

// ticks is the rate of both games.
const ticks = duel.TicksPerSecond

var _ [0]struct{} = [duel.TicksPerSecond - arena.TicksPerSecond]struct{}{} // it is the same
