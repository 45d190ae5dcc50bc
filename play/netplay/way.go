package netplay

import (
	"context"

	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/play/app"
)

// way is how rooms are come by: those of a page's server, or of a machine on the local
// network. Its methods but setup and invitation may be called from any goroutine.
type way interface {
	// setup returns the screen where rooms are made and looked for.
	setup(a *app.App, c Config) app.Scene
	create(ctx context.Context, c *Config, o online.Config) (*online.Room, error)
	join(ctx context.Context, link string, o online.Config) (*online.Room, error)
	// invitation is what to tell those who should come: a hint, and what to tell.
	invitation(r *online.Room) (hint string, texts []string)
	// explain says what an error means, if it is one of its own.
	explain(err error) (t trouble, ok bool)
	// keeper is who keeps the room, and call is what brings others into it, for people.
	keeper() string
	call() string
	// left is called when a room was left: what was made for it ends.
	left(r *online.Room)
}

// explain says what an error means.
func (c *Config) explain(err error) trouble {
	if t, ok := c.way.explain(err); ok {
		return t
	}
	return explain(err)
}

// byServer is the way over the server of a page.
type byServer struct{}

func (byServer) setup(a *app.App, c Config) app.Scene { return newSetup(a, c) }

func (byServer) create(ctx context.Context, c *Config, o online.Config) (*online.Room, error) {
	return online.Create(ctx, c.Page, o)
}

func (byServer) join(ctx context.Context, link string, o online.Config) (*online.Room, error) {
	return online.Join(ctx, link, o)
}

func (byServer) invitation(r *online.Room) (hint string, texts []string) {
	return "Send this link to who should play. Who comes late watches, or takes a free seat.", []string{r.Link()}
}

func (byServer) explain(error) (t trouble, ok bool) { return t, false }

func (byServer) keeper() string { return "server" }

func (byServer) call() string { return "send the link" }

func (byServer) left(*online.Room) {}
