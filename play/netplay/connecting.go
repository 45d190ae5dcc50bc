package netplay

import (
	"context"
	"errors"
	"time"

	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
)

// connectTime limits the search for a room.
const connectTime = 20 * time.Second

// connecting waits for the server.
type connecting struct {
	cfg    Config
	text   string
	found  chan found
	cancel context.CancelFunc
	time   float32
}

// found is the result of the search.
type found struct {
	room *online.Room
	game string
	err  error
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
	return enter(c, words.T("Making a room"), func(ctx context.Context) found {
		r, err := c.way.create(ctx, &c, o)
		return found{room: r, game: o.GameID, err: err}
	})
}

// join enters the room of a link, whatever game is played there.
func join(a *app.App, c Config, link string) app.Scene {
	c.Link = link
	o := c.room(a, c.Game)
	if c.Machine.Kept != nil {
		o.Ticket = c.Machine.Kept()
	}
	return enter(c, words.T("Looking for the room"), func(ctx context.Context) found {
		r, err := c.way.join(ctx, link, o)
		var other *rooms.MismatchError
		switch {
		case !errors.As(err, &other) || other.Item != "game":
		case c.Others[other.Rooms] != nil:
			return found{other: c.Others[other.Rooms]}
		case kindOf(other.Rooms) != nil:
			again := c.room(a, other.Rooms)
			again.Ticket = o.Ticket
			o = again
			r, err = c.way.join(ctx, link, o)
		}
		if err == nil {
			if err = fits(r.State().Seats, kindOf(o.GameID)); err != nil {
				_ = r.Close()
				c.way.left(r)
				r = nil
			}
		}
		return found{room: r, game: o.GameID, err: err}
	})
}

// seatsError says that a room has more seats than its game has players, which our clients do not make.
type seatsError struct{ seats, most int }

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

func enter(c Config, text string, look func(context.Context) found) *connecting {
	ctx, cancel := context.WithTimeout(context.Background(), connectTime)
	s := &connecting{cfg: c, text: text, found: make(chan found, 1), cancel: cancel}
	go func() {
		defer cancel()
		s.found <- searchUntilFound(ctx, look)
	}()
	return s
}

const (
	// attempts is how often an unreachable server is tried: for a page that has just been loaded, or has just woken
	// up, the first attempt often fails.
	attempts     = 3
	betweenTries = 800 * time.Millisecond
)

// searchUntilFound looks for a room, and retries if the server cannot be reached.
func searchUntilFound(ctx context.Context, look func(context.Context) found) (f found) {
	for i := range attempts {
		if f = look(ctx); !errors.Is(f.err, rooms.ErrUnreachable) || i == attempts-1 {
			break
		}
		select {
		case <-time.After(betweenTries):
		case <-ctx.Done():
			return f
		}
	}
	return f
}

func (s *connecting) Name() string { return "connecting" }

func (s *connecting) Tick(a *app.App) app.Scene { return s.next(a) }

// next returns the scene after the server's answer; itself until the answer comes.
func (s *connecting) next(a *app.App) app.Scene {
	select {
	case f := <-s.found:
		if f.other != nil {
			return f.other(a, s.cfg.Link)
		}
		if f.err != nil {
			return &failedScene{cfg: s.cfg, trouble: s.cfg.explain(f.err)}
		}
		s.cfg.Game = f.game
		return newVisit(a, s.cfg, f.room, kindOf(f.game))
	default:
		return s
	}
}

func (s *connecting) Picture(p *app.Picture) app.Scene {
	s.time += p.DT
	foyer.Backdrop(p, s.time)
	foyer.Waiting(p, s.text, s.time)
	if next := s.next(p.App); next != app.Scene(s) {
		return next
	}
	if p.UI.Button(draw.Box{X: app.Width/2 - 130, Y: 520, W: 260, H: 56}, words.T("Cancel")) || p.UI.Back() {
		s.cancel()
		go s.abandon()
		return s.cfg.way.setup(p.App, s.cfg)
	}
	return s
}

func (s *connecting) Close() {
	s.cancel()
	s.abandon()
}

// abandon leaves a room that was found after we gave up.
func (s *connecting) abandon() {
	if f := <-s.found; f.room != nil {
		_ = f.room.Close()
		s.cfg.way.left(f.room)
	}
}
