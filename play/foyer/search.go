package foyer

import (
	"context"
	"errors"
	"time"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/look"
	"github.com/tickback/tickback/play/words"
)

// ConnectTime limits the search for a room or a server.
const ConnectTime = 20 * time.Second

// Search is a search for a room or a server, in the background. Its scene says that it is running, and what went
// wrong.
type Search[T any] struct {
	Text string // says what is looked for
	// Look searches. It runs on a goroutine of its own; its context ends after [ConnectTime].
	Look func(ctx context.Context) (T, error)
	// Next returns the scene after a result, and Drop releases a result that nobody wants any more.
	Next func(a *app.App, found T) app.Scene
	Drop func(found T)
	// Retry searches again, and Back returns the screen before, which a button with the text Other leads to.
	Retry, Back func(a *app.App) app.Scene
	Other       string
	Explain     func(err error) Trouble
}

// Scene begins the search, and returns its scene.
func (s *Search[T]) Scene() app.Scene {
	ctx, cancel := context.WithTimeout(context.Background(), ConnectTime)
	c := &connecting[T]{search: s, found: make(chan result[T], 1), cancel: cancel}
	go func() {
		defer cancel()
		found, err := untilReached(ctx, s.Look)
		c.found <- result[T]{found, err}
	}()
	return c
}

const (
	// attempts is how often an unreachable server is tried: for a page that has just been loaded, or has just woken
	// up, the first attempt often fails.
	attempts     = 3
	betweenTries = 800 * time.Millisecond
)

// untilReached searches, and retries if the server of rooms cannot be reached.
func untilReached[T any](ctx context.Context, look func(context.Context) (T, error)) (found T, err error) {
	for i := range attempts {
		if found, err = look(ctx); !errors.Is(err, rooms.ErrUnreachable) || i == attempts-1 {
			break
		}
		select {
		case <-time.After(betweenTries):
		case <-ctx.Done():
			return found, err
		}
	}
	return found, err
}

type result[T any] struct {
	found T
	err   error
}

// connecting is the scene of a search that is running.
type connecting[T any] struct {
	search *Search[T]
	found  chan result[T]
	cancel context.CancelFunc
	time   float32
}

// Name returns "connecting", which is the mode in an [app.Status].
func (c *connecting[T]) Name() string { return "connecting" }

// Tick goes on to the next scene once the search has ended, even if the page is hidden.
func (c *connecting[T]) Tick(a *app.App) app.Scene {
	select {
	case r := <-c.found:
		if r.err != nil {
			return &failed{c.search.Explain(r.err), c.search.Retry, c.search.Back, c.search.Other}
		}
		return c.search.Next(a, r.found)
	default:
		return c
	}
}

// Picture shows that the search is running. If the player cancels it, what it still finds is dropped in the
// background.
func (c *connecting[T]) Picture(p *app.Picture) app.Scene {
	c.time += p.DT
	cancelled := Waits(p, c.search.Text, c.time)
	if next := c.Tick(p.App); next != app.Scene(c) {
		return next
	}
	if cancelled {
		c.cancel()
		go c.abandon()
		return c.search.Back(p.App)
	}
	return c
}

// Close cancels the search, waits for its end, and drops what it has found.
func (c *connecting[T]) Close() {
	c.cancel()
	c.abandon()
}

// abandon drops what was found after we gave up.
func (c *connecting[T]) abandon() {
	if r := <-c.found; r.err == nil {
		c.search.Drop(r.found)
	}
}

// failed is the scene after a search without success.
type failed struct {
	trouble     Trouble
	retry, back func(a *app.App) app.Scene
	other       string
}

// Name returns "failed", which is the mode in an [app.Status].
func (f *failed) Name() string { return "failed" }

// Report sets the message to the reason why the search has failed.
func (f *failed) Report(s *app.Status) { s.Message = f.trouble.Text() }

// Picture shows the reason, with buttons that search again, or lead to the screen before or the title.
func (f *failed) Picture(p *app.Picture) app.Scene {
	switch pressed := f.trouble.Draw(p, words.T("Try again"), f.other, words.T("To the title")); {
	case pressed == 0:
		return f.retry(p.App)
	case pressed == 1:
		return f.back(p.App)
	case pressed == 2 || p.UI.Back():
		return p.App.Title()
	}
	return f
}

// Waits is a screen that says what we are waiting for. It reports whether the player cancels it.
func Waits(p *app.Picture, text string, time float32) (cancelled bool) {
	Backdrop(p, time)
	c := p.C
	c.Text(draw.Point{X: app.Width / 2, Y: 300}, 40, draw.Middle, look.Paper, text+Dots(time))
	for i := range 8 {
		a := float32(i)/8*6.2832 + time*2.4
		c.Circle(draw.Point{X: app.Width / 2, Y: 400}.Plus(draw.Polar(a, 44)), 4+float32(i)*0.9, look.Gold.Alpha(0.15+0.1*float32(i)))
	}
	return p.UI.Button(draw.Box{X: app.Width/2 - 130, Y: 520, W: 260, H: 56}, words.T("Cancel")) || p.UI.Back()
}
