package hall

import (
	"context"
	"net/netip"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/digest"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
)

// Config is the configuration of the mode, in addition to the choices on its screens.
type Config struct {
	Machine foyer.Machine
	// Page is the address of the page whose server makes rooms; "" means that none can be made.
	Page string
	// Link is the link of a room to join at once, and Address that of a server.
	Link, Address string
	// Host starts to host a match at once.
	Host bool
	// Dial opens a transport to the address of a server; nil means that this is not possible here, as in a page.
	Dial func(ctx context.Context, address string) (tickback.Transport, netip.AddrPort, error)
	// Token is the token that the server at an Address requires.
	Token tickback.Token
	Name  string // "" means the name in the settings
	// Fill is the number of tanks up to which a host adds bots: 0 means the default, -1 none.
	Fill int
	// Ticks is the length of matches that are hosted here; 0 means the length in the rules.
	Ticks tickback.Frame
	// Build replaces the build of the rules, and Loopback is the field of online.Config: for tests.
	Build    string
	Loopback bool
}

// usualFill is the default number of tanks up to which a host adds bots.
const usualFill = 6

// fills are the choices: all of them leave places for people.
var fills = []int{0, 4, 6, 8, 12}

func (c *Config) complete() {
	if c.Build == "" {
		c.Build = digest.Build(digest.Tanks)
	}
	switch {
	case c.Fill == 0:
		c.Fill = usualFill
	case c.Fill < 0:
		c.Fill = 0
	}
	c.Fill = min(c.Fill, tanks.MaxPlayers-1)
	if c.Ticks > 1<<24 {
		c.Ticks = 0
	}
}

// room returns the online.Config for a room, which has one seat, for the server.
func (c *Config) room(a *app.App, role rooms.Role) online.Config {
	o := online.Config{
		GameID: tanks.ID, Build: c.Build, Name: foyer.NameOf(a, c.Name), Seats: 1, Spectators: tanks.MaxPlayers + watchers, Role: role, Loopback: c.Loopback,
	}
	if c.Machine.Kept != nil {
		o.Ticket = c.Machine.Kept()
	}
	return o
}

// watchers is how many members of a room can wait for a place in the match.
const watchers = 8

// Mode returns the mode for an app.
func Mode(c Config) app.Mode {
	c.complete()
	first := true // afterwards the screen asks
	return app.Mode{
		ID: "tanks", Label: words.K("Tanks"), Help: words.K("Up to sixteen among walls: against bots, or with others at a server"),
		Open: func(a *app.App) app.Scene {
			at := first
			first = false
			switch {
			case at && c.Link != "":
				return join(a, c, c.Link)
			case at && c.Address != "" && c.Dial != nil:
				return dial(c, c.Address)
			case at && c.Host && c.Page != "":
				return host(a, c)
			case a.Auto:
				return app.NewTanks(a, app.TanksSetup{Players: 8})
			}
			return newSetup(a, c)
		},
	}
}

// Join returns a function that follows a link to a room in which the tanks are played.
func Join(c Config) func(a *app.App, link string) app.Scene {
	c.complete()
	return func(a *app.App, link string) app.Scene { return join(a, c, link) }
}
