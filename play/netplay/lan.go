//go:build !js

package netplay

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/lan"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/play/words"
)

// LAN returns the mode for the local network: like [Mode], with rooms on the machines of the players. o says where a
// host listens. Config.Create hosts a game at once, and Config.Link is the address of a host to join at once.
func LAN(c Config, o lan.Options) app.Mode {
	c.way = &byLAN{options: o}
	c.complete()
	return app.Mode{
		ID: "lan", Label: words.K("Local network"), Help: words.K("Host a game, or join one, without any server"),
		Open: func(a *app.App) app.Scene {
			switch {
			case c.Link != "":
				return join(a, c, c.Link)
			case c.Create:
				return create(a, c)
			}
			return c.way.setup(a, c)
		},
	}
}

// byLAN finds and makes rooms on the local network.
type byLAN struct {
	options lan.Options

	mu   sync.Mutex
	host *lan.Host // nil if we host nothing
}

func (w *byLAN) setup(a *app.App, c Config) app.Scene { return newLANSetup(a, c, w) }

func (w *byLAN) create(ctx context.Context, _ *Config, o online.Config) (*online.Room, error) {
	if h := w.hosts(); h != nil {
		w.left(h.Room) // frees its port
	}
	h, err := lan.Create(ctx, w.options, o)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.host = h
	return h.Room, nil
}

func (*byLAN) join(ctx context.Context, link string, o online.Config) (*online.Room, error) {
	offer, err := lan.Ask(ctx, link)
	if err != nil {
		return nil, err
	}
	return lan.Join(ctx, offer, o)
}

func (w *byLAN) hosts() *lan.Host {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.host
}

func (w *byLAN) invitation(r *online.Room) (hint string, texts []string) {
	if h := w.hosts(); h != nil {
		return words.T("Others on this network find you, or type an address of this machine:"), h.Addresses()
	}
	hint = words.T("Others on this network find the host, or type its address:")
	if u, err := url.Parse(r.Link()); err == nil {
		texts = []string{u.Host}
	}
	return hint, texts
}

// left stops hosting, if we host this room.
func (w *byLAN) left(r *online.Room) {
	w.mu.Lock()
	h := w.host
	if h == nil || h.Room != r {
		w.mu.Unlock()
		return
	}
	w.host = nil
	w.mu.Unlock()
	_ = h.Close() // nothing can be done about an error
}

func (*byLAN) says() *sayings { return &lanSayings }

var lanSayings = sayings{
	unreachable: words.K("The host is out of reach"),
	lost:        words.K("The host is out of reach. The match goes on without it."),
	found:       words.K("The host is there again."),
	call:        words.K("Waiting for one more: tell them an address"),
	back:        words.K("The host's address leads back."),
}

// lanPlain are the errors of the local network with fixed explanations.
var lanPlain = []struct {
	err error
	foyer.Trouble
}{
	{lan.ErrAddress, foyer.Trouble{Title: words.K("That is no address"), What: words.K("An address is a name or a number such as 192.168.1.5, with a port or without."), Help: words.K("The host's screen shows its addresses.")}},
	{lan.ErrNoHost, foyer.Trouble{Title: words.K("No game is hosted there"), What: words.K("Something else answers at this address."), Help: words.K("Look at the port, which the host's screen shows behind the colon.")}},
	{lan.ErrInUse, foyer.Trouble{Title: words.K("The port is in use"), What: words.K("Another program on this machine listens there, or a second one of this."), Help: words.K("Choose another port; 0 is any that is free.")}},
	{rooms.ErrGone, foyer.Trouble{Title: words.K("The room is gone"), What: words.K("The host has made another one."), Help: words.K("Join again.")}},
	{rooms.ErrShutdown, foyer.Trouble{Title: words.K("The host has left"), What: words.K("The room has ended with it."), Help: words.K("Host a game yourself, or join another one.")}},
	{rooms.ErrUnreachable, foyer.Trouble{Title: words.K("The host cannot be reached"), What: words.K("It has lost the network, or its program has ended."), Help: words.K("Try again, or host a game yourself.")}},
	{rooms.ErrFull, foyer.Trouble{Title: words.K("The game is full"), What: words.K("All seats and all places to watch are taken."), Help: words.K("Ask the others to make room, or host a game yourself.")}},
}

func (*byLAN) explain(err error) (t foyer.Trouble, ok bool) {
	var (
		other *rooms.MismatchError
		asked *lan.AskError
	)
	switch {
	case errors.As(err, &other):
		return foyer.Trouble{
			Title: words.T("Another version"), What: words.F("The host plays %s %q, and you have %q.", other.Item, other.Rooms, other.Ours),
			Help: words.T("Both of you need the same version of this program."),
		}, true
	case errors.As(err, &asked) && asked.Reason == lan.ErrNobody:
		return foyer.Trouble{
			Title: words.T("Nobody hosts there"), What: fmt.Sprintf("%s: %v.", asked.Address, asked.Cause),
			Help: words.T("Look at the address, at the network, and at the firewall of the host, which has to let this program in."),
		}, true
	}
	if errors.Is(err, lan.ErrListen) {
		return foyer.Trouble{
			Title: words.T("Nothing can be hosted there"), What: strings.TrimPrefix(err.Error(), "lan: ") + ".",
			Help: words.T("Host at an address of this machine, or at all of them, as in :7717."),
		}, true
	}
	for _, p := range lanPlain {
		if errors.Is(err, p.err) {
			return p.Own(), true
		}
	}
	return t, false
}
