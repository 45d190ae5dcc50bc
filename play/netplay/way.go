package netplay

import (
	"context"
	"net/netip"
	"net/url"

	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/foyer"
)

// way is how to find and make rooms: at a page's server, or at a machine on the local network. All
// methods except setup and invitation may be called from any goroutine.
type way interface {
	// setup returns the screen for making and finding rooms.
	setup(a *app.App, c Config) app.Scene
	create(ctx context.Context, c *Config, o online.Config) (*online.Room, error)
	join(ctx context.Context, link string, o online.Config) (*online.Room, error)
	// invitation returns what to tell those that should come: a hint, and texts.
	invitation(r *online.Room) (hint string, texts []string)
	// explain explains an error, if it is one of this way.
	explain(err error) (t foyer.Trouble, ok bool)
	// keeper names what keeps the room, and call says how to bring others into it.
	keeper() string
	call() string
	// back says how somebody that has gone comes back.
	back() string
	// left is called when a room was left, to end what was made for it.
	left(r *online.Room)
}

// explain explains an error.
func (c *Config) explain(err error) foyer.Trouble {
	if t, ok := c.way.explain(err); ok {
		return t
	}
	return foyer.Explain(err)
}

// byServer is the way to rooms at the server of a page.
type byServer struct{}

func (byServer) setup(a *app.App, c Config) app.Scene { return newSetup(a, c) }

func (byServer) create(ctx context.Context, c *Config, o online.Config) (*online.Room, error) {
	return online.Create(ctx, c.Page, o)
}

func (byServer) join(ctx context.Context, link string, o online.Config) (*online.Room, error) {
	return online.Join(ctx, link, o)
}

func (byServer) invitation(r *online.Room) (hint string, texts []string) {
	if onlyHere(r.Link()) {
		return "Only this machine reaches this link. For others, start the server with --listen :8080.", []string{r.Link()}
	}
	return "Send this link to those who should play. Latecomers watch, or take a free seat.", []string{r.Link()}
}

// onlyHere reports whether a link is of a server that only this machine reaches.
func onlyHere(link string) bool {
	u, err := url.Parse(link)
	if err != nil {
		return false
	}
	host := u.Hostname()
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func (byServer) explain(error) (t foyer.Trouble, ok bool) { return t, false }

func (byServer) keeper() string { return "server" }

func (byServer) call() string { return "send the link" }

func (byServer) back() string { return "the link leads back" }

func (byServer) left(*online.Room) {}
