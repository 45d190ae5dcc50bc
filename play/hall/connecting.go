package hall

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
)

// connectTime limits the search for a room or a server.
const connectTime = 20 * time.Second

// found is the result of the search: a room, or a connection to a server.
type found struct {
	room      *online.Room
	transport tickback.Transport
	server    netip.AddrPort
	err       error
}

// drop releases a result that is not needed.
func (f *found) drop() {
	if f.room != nil {
		_ = f.room.Close()
	}
	if f.transport != nil {
		_ = f.transport.Close()
	}
}

// connecting waits for the result of a search.
type connecting struct {
	cfg    Config
	text   string
	found  chan found
	cancel context.CancelFunc
	retry  func(a *app.App) app.Scene
	time   float32
}

// host makes a room, in which we own the match.
func host(a *app.App, c Config) app.Scene {
	o := c.room(a, rooms.AnyRole)
	return search(c, words.T("Making a room"), func(a *app.App) app.Scene { return host(a, c) }, func(ctx context.Context) found {
		r, err := online.Create(ctx, c.Page, o)
		return found{room: r, err: err}
	})
}

// join enters the room of a link.
func join(a *app.App, c Config, link string) app.Scene {
	o := c.room(a, rooms.Spectator)
	return search(c, words.T("Looking for the room"), func(a *app.App) app.Scene { return join(a, c, link) }, func(ctx context.Context) found {
		r, err := online.Join(ctx, link, o)
		return found{room: r, err: err}
	})
}

// dial looks for a server by its address.
func dial(_ *app.App, c Config, address string) app.Scene {
	c.Address = address // for the next time
	return search(c, words.F("Looking for %s", address), func(a *app.App) app.Scene { return dial(a, c, address) }, func(ctx context.Context) found {
		t, at, err := c.Dial(ctx, address)
		return found{transport: t, server: at, err: err}
	})
}

// search begins a search; retry starts it again.
func search(c Config, text string, retry func(a *app.App) app.Scene, look func(context.Context) found) *connecting {
	ctx, cancel := context.WithTimeout(context.Background(), connectTime)
	s := &connecting{cfg: c, text: text, found: make(chan found, 1), cancel: cancel, retry: retry}
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

// searchUntilFound searches, and retries if the server of rooms cannot be reached.
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

// next returns the scene after the search; itself until it has ended.
func (s *connecting) next(a *app.App) app.Scene {
	select {
	case f := <-s.found:
		if f.err != nil {
			return &failed{cfg: s.cfg, trouble: foyer.Explain(f.err), retry: s.retry}
		}
		return newVisit(a, s, &f)
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
		return newSetup(p.App, s.cfg)
	}
	return s
}

func (s *connecting) Close() {
	s.cancel()
	s.abandon()
}

// abandon leaves what was found after we gave up.
func (s *connecting) abandon() {
	f := <-s.found
	f.drop()
}

// failed is a search without success.
type failed struct {
	cfg     Config
	trouble foyer.Trouble
	retry   func(a *app.App) app.Scene
}

func (f *failed) Name() string { return "failed" }

func (f *failed) Report(s *app.Status) { s.Message = f.trouble.Text() }

func (f *failed) Picture(p *app.Picture) app.Scene {
	switch pressed := f.trouble.Draw(p, words.T("Try again"), words.T("Back"), words.T("To the title")); {
	case pressed == 0:
		return f.retry(p.App)
	case pressed == 1:
		return newSetup(p.App, f.cfg)
	case pressed == 2 || p.UI.Back():
		return p.App.Title()
	}
	return f
}
