package netplay

import (
	"context"
	"errors"
	"net/netip"
	"net/url"

	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
)

// way finds and makes rooms: on a page's server, or on a machine in the local network. All methods except setup and
// invitation may be called from any goroutine.
type way interface {
	// setup returns the screen for making and finding rooms.
	setup(a *app.App, c Config) app.Scene
	create(ctx context.Context, c *Config, o online.Config) (*online.Room, error)
	join(ctx context.Context, link string, o online.Config) (*online.Room, error)
	// invitation returns what the player can send to invite others: a hint, and texts.
	invitation(r *online.Room) (hint string, texts []string)
	// explain explains an error, if it is specific to this way.
	explain(err error) (t foyer.Trouble, ok bool)
	// says returns the texts of this way.
	says() *sayings
	// left is called after a room was left, to release what was created for it.
	left(r *online.Room)
}

// sayings are the texts of a way, which are marked for translation.
type sayings struct {
	unreachable string // the server of the room is out of reach
	lost, found string // it has become unreachable, or reachable again
	call        string // another player is needed, and how to invite others
	back        string // how a player who has left can return, as a sentence
	moves       bool   // whether a link can lead to a place
}

// explain explains an error.
func (c *Config) explain(err error) foyer.Trouble {
	if t, ok := c.way.explain(err); ok {
		return t
	}
	if e := (*seatsError)(nil); errors.As(err, &e) {
		return foyer.Trouble{
			Title: words.T("Too many seats"), What: e.Error(),
			Help: words.T("Ask for a new link, or create a room of your own."),
		}
	}
	return foyer.Explain(err)
}

// byServer finds and makes rooms at the server of a page.
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
		return words.T("Only this machine reaches it. Others need a server with --listen :8080."), []string{r.Link()}
	}
	return words.T("Send this link to your players. Latecomers watch, or take a seat."), []string{r.Link()}
}

// onlyHere reports whether a link leads to a server that only this machine can reach.
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

func (byServer) says() *sayings { return &serverSayings }

var serverSayings = sayings{
	unreachable: words.K("The server is out of reach"),
	lost:        words.K("The server is out of reach. The match goes on without it."),
	found:       words.K("The server is there again."),
	call:        words.K("Waiting for one more: send the link"),
	back:        words.K("The link leads back."),
	moves:       true,
}

func (byServer) left(*online.Room) {}
