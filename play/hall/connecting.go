package hall

import (
	"context"
	"net/netip"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
)

// found is the result of a search: a room, or a connection to a server.
type found struct {
	room      *online.Room
	transport tickback.Transport
	server    netip.AddrPort
}

// drop releases a result that is not needed.
func (f found) drop() {
	if f.room != nil {
		_ = f.room.Close()
	}
	if f.transport != nil {
		_ = f.transport.Close()
	}
}

// host makes a room, in which we own the match.
func host(a *app.App, c Config) app.Scene {
	o := c.room(a, rooms.AnyRole)
	return search(c, words.T("Making a room"), func(a *app.App) app.Scene { return host(a, c) }, func(ctx context.Context) (found, error) {
		r, err := online.Create(ctx, c.Page, o)
		return found{room: r}, err
	})
}

// join enters the room of a link.
func join(a *app.App, c Config, link string) app.Scene {
	o := c.room(a, rooms.Spectator)
	return search(c, words.T("Looking for the room"), func(a *app.App) app.Scene { return join(a, c, link) }, func(ctx context.Context) (found, error) {
		r, err := online.Join(ctx, link, o)
		return found{room: r}, err
	})
}

// dial looks for a server by its address.
func dial(c Config, address string) app.Scene {
	c.Address = address // for the next time
	return search(c, words.F("Looking for %s", address), func(*app.App) app.Scene { return dial(c, address) }, c.dial)
}

// dial opens a connection to the server at the Address.
func (c *Config) dial(ctx context.Context) (found, error) {
	t, at, err := c.Dial(ctx, c.Address)
	return found{transport: t, server: at}, err
}

// search begins a search; retry starts it again.
func search(c Config, text string, retry func(a *app.App) app.Scene, look func(context.Context) (found, error)) app.Scene {
	s := foyer.Search[found]{
		Text: text, Look: look, Drop: found.drop, Retry: retry, Explain: foyer.Explain, Other: words.T("Back"),
		Next: func(a *app.App, f found) app.Scene { return newStay(a, c, retry, f) },
		Back: func(a *app.App) app.Scene { return newSetup(a, c) },
	}
	return s.Scene()
}
