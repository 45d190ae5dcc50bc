package netplay

import (
	"context"
	"errors"

	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
)

// found is the result of a search for a room.
type found struct {
	room *online.Room
	game string
	// other returns the scene of another mode, whose game is played in the room.
	other func(a *app.App, link string) app.Scene
}

// create makes a room.
func create(a *app.App, c Config) app.Scene {
	o := c.room(a, c.Game)
	first := terms{Frames: int(c.Frames)}
	if c.Game == skirmishID {
		first.Bots = 1 // an army without a player is a target
	}
	o.Settings = first.text()
	c.Link, c.Create = "", false // another attempt starts on the screen
	return search(c, words.T("Making a room"), create, func(ctx context.Context) (found, error) {
		r, err := c.way.create(ctx, &c, o)
		return found{room: r, game: o.GameID}, err
	})
}

// join enters the room of a link, for any of the games.
func join(a *app.App, c Config, link string) app.Scene {
	c.Link = link
	o := c.room(a, c.Game)
	if c.Machine.Kept != nil {
		o.Ticket = c.Machine.Kept()
	}
	rejoin := func(a *app.App, c Config) app.Scene { return join(a, c, link) }
	return search(c, words.T("Looking for the room"), rejoin, func(ctx context.Context) (found, error) {
		r, err := c.way.join(ctx, link, o)
		var other *rooms.MismatchError
		switch {
		case !errors.As(err, &other) || other.Item != "game":
		case c.Others[other.Rooms] != nil:
			return found{other: c.Others[other.Rooms]}, nil
		case kindOf(other.Rooms) != nil:
			again := c.room(a, other.Rooms)
			again.Ticket = o.Ticket
			o = again
			r, err = c.way.join(ctx, link, o)
		}
		if err == nil {
			if err = fits(r.State().Seats, kindOf(o.GameID)); err != nil {
				c.drop(r)
			}
		}
		return found{room: r, game: o.GameID}, err
	})
}

// drop leaves a room that was entered, and releases what was created for it.
func (c *Config) drop(r *online.Room) {
	_ = r.Close()
	c.way.left(r)
}

// seatsError says that a room has more seats than its game has players. Our clients do not make such rooms.
type seatsError struct{ seats, most int }

// Error returns a text in the language of the player.
func (e *seatsError) Error() string {
	return words.F("The room has %d seats, and its game %d at most.", e.seats, e.most)
}

// fits returns an error for a room with more seats than a game has players.
func fits(seats int, k *kind) error {
	if seats > k.most {
		return &seatsError{seats, k.most}
	}
	return nil
}

// search looks for a room; retry looks again.
func search(c Config, text string, retry func(a *app.App, c Config) app.Scene, look func(context.Context) (found, error)) app.Scene {
	s := foyer.Search[found]{
		Text: text, Look: look, Explain: c.explain, Other: words.T("Another room"),
		Next: func(a *app.App, f found) app.Scene {
			if f.other != nil {
				return f.other(a, c.Link)
			}
			entered := c
			entered.Game = f.game
			return newStay(a, entered, f.room, kindOf(f.game))
		},
		Drop: func(f found) {
			if f.room != nil {
				c.drop(f.room)
			}
		},
		Retry: func(a *app.App) app.Scene { return retry(a, c) },
		Back: func(a *app.App) app.Scene {
			setup := c
			setup.Link = ""
			return c.way.setup(a, setup)
		},
	}
	return s.Scene()
}
