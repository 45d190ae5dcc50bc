package netplay

import (
	"cmp"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
)

// Spectators is how many spectators a room can have.
const Spectators = 16

// Machine is what a page or a desktop supports.
type Machine = foyer.Machine

// Config is the configuration of the mode, in addition to the choices on its screens.
type Config struct {
	Machine Machine
	// Page is the address of the page whose server makes rooms; "" means that none can be made.
	Page string
	// Link is an invitation that is followed at once.
	Link string
	// Create makes a room at once: for Game ("duel", "arena" or "skirmish") with Seats seats.
	Create bool
	Game   string
	Seats  int
	Name   string // "" means the name in the settings
	// Frames is the length of matches that we begin; 0 means the default.
	Frames tickback.Frame
	// Start begins a match whenever this many members have a seat and are connected; 0 leaves it to the host.
	Start int
	// Others has the modes of other games that have rooms, by their IDs: functions that follow a link to a room
	// with such a game.
	Others map[string]func(a *app.App, link string) app.Scene
	// Watch joins without a seat.
	Watch bool
	// Build replaces the build of the game, and Loopback is the field of online.Config: for tests.
	Build    string
	Loopback bool
	// For tests: bout replaces the match of the game, and slowed names the players that make a match slow.
	bout   func() (bout, error)
	slowed func() tickback.PlayerSet

	way way // how to find rooms
}

// newBout returns an unopened match of a game.
func (c *Config) newBout(game string) (bout, error) {
	if c.bout != nil {
		return c.bout()
	}
	return newBout(game)
}

func (c *Config) complete() {
	if c.way == nil {
		c.way = byServer{}
	}
	k := kindOf(c.Game)
	if k == nil {
		k = kinds[0]
	}
	c.Game = k.id
	if c.Seats < rooms.MinSeats || c.Seats > k.most {
		c.Seats = min(4, k.most)
	}
	if c.Frames > 1<<24 {
		c.Frames = 0
	}
}

// room returns the online.Config for a room with this game.
func (c *Config) room(a *app.App, game string) online.Config {
	o := online.Config{
		GameID: game, Build: cmp.Or(c.Build, buildOf(game)), Name: foyer.NameOf(a, c.Name), Seats: c.Seats, Spectators: Spectators, Loopback: c.Loopback,
	}
	if c.Watch {
		o.Role = rooms.Spectator
	}
	return o
}

// Mode returns the mode for an app.
func Mode(c Config) app.Mode {
	c.complete()
	return app.Mode{
		ID: "online", Label: words.K("Online"), Help: words.K("Make a room, send its link, and play from machine to machine"),
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
