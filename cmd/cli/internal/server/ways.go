package server

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/netem/realtime"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/transport/joint"
)

// watchers is the number of members of a room that can wait for a place in the match.
const watchers = 8

// checkRoom returns an error for flags that cannot be used with --room; every error is about wrong usage.
func (o *serveFlags) checkRoom() error {
	switch {
	case o.room == "" && o.roomFile != "":
		return console.Usagef("--room-file goes with --room: it keeps the place in that room")
	case o.room == "":
		return nil
	case o.token != "" || o.watch.Token != "":
		return console.Usagef("--token and --watch-token go with UDP alone: in a room the link lets people in")
	case online.RoomOf(o.room) != "":
		return console.Usagef("--room is the address of a page, such as http://127.0.0.1:8080/, and not the link of a room")
	case len(o.name) > rooms.MaxName:
		return console.Usagef("--name has %d bytes, more than %d", len(o.name), rooms.MaxName)
	}
	return nil
}

// roomConfig returns the configuration of a place in a room for a game.
func roomConfig(g *games.Info, page, name string) online.Config {
	return online.Config{GameID: g.ID, Build: g.Build, Name: name, Loopback: isHere(page)}
}

// isHere reports whether a page can only be reached from this machine, which means that the players are here, too.
func isHere(page string) bool {
	u, err := url.Parse(page)
	if err != nil {
		return false
	}
	a, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && a.IsLoopback()
}

// roomError rewords an error of a room for people.
func roomError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, online.ErrLink):
		return console.Usagef("%s", strings.TrimPrefix(err.Error(), "online: "))
	case errors.As(err, new(console.Failure)):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return console.Failed(errors.New("the room does not answer, or no match is played in it"))
	}
	return console.Failed(fmt.Errorf("the room: %s", strings.TrimPrefix(err.Error(), "rooms: ")))
}

// openWays opens the server's transports according to the flags, and prints how to join.
func (a *family) openWays(ctx context.Context, h *serverSetup) error {
	o := h.flags
	if o.listens {
		conn, transport, err := o.open(ctx, h.log, true, o.listen, 0)
		if err != nil {
			return err
		}
		h.transport = transport
		h.log.Say("%s for %d, listening on %s", h.game.ID, o.players, place(conn.LocalAddr()))
		how := a.above + " join " + invited(conn.LocalAddr())
		if o.players != h.game.MaxPlayers {
			how += " --players " + fmt.Sprint(o.players)
		}
		if o.sight != sightFull {
			how += " --sight " + o.sight
		}
		if o.secretMadeHere {
			h.log.Tell("join with: %s --token %v", how, o.secret)
		} else {
			if o.secret != nil {
				how += " and its --token"
			}
			h.log.Say("join with: %s", how)
		}
		h.sayWhoWatches(invited(conn.LocalAddr()))
	}
	if o.room == "" {
		return nil
	}
	if err := h.openRoom(ctx); err != nil {
		h.close()
		if errors.Is(err, online.ErrLink) {
			return console.Usagef("--room %q: must be the address of a page, such as http://127.0.0.1:8080/", o.room)
		}
		return roomError(err)
	}
	h.log.Tell("pages join at: %s", h.room.Link())
	return nil
}

// sayWhoWatches prints how to watch over UDP, if that requires a token or is not possible.
func (h *serverSetup) sayWhoWatches(at string) {
	s, o := &h.spectators, h.flags
	how := fmt.Sprintf("%s spectate --host %s --game %s", h.log.App.Name, at, h.game.ID)
	switch {
	case !s.Enabled() && o.watch.Max > 0:
		h.log.Say("nobody can watch, since --sight partial hides what spectators see: --spectator-delay TICKS lets them watch later")
	case h.watchMade:
		h.log.Tell("watch with: %s --token %v", how, tickback.Token(s.Token))
	case s.Enabled() && s.Token == nil && !s.Open && o.secret != nil:
		h.log.Say("watch with: %s and the --token of players", how)
	}
}

// roomTime is the maximum time for making or joining a room and beginning its match.
const roomTime = 20 * time.Second

// openRoom makes a room, or comes back to one, and begins its match.
func (h *serverSetup) openRoom(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, roomTime)
	defer cancel()
	if err = h.enterRoom(ctx); err != nil {
		return err
	}
	if err = h.keepRoom(); err != nil {
		return err
	}
	if err = h.room.Start(); err != nil {
		return err
	}
	return h.room.Wait(ctx)
}

// close frees the room, and everything that the server does not own yet.
func (h *serverSetup) close() {
	if h.transport != nil {
		h.transport.Close()
	}
	switch {
	case h.room == nil:
	case h.flags.roomFile != "":
		h.room.Abandon() // keep the place, so that a server started with this file can come back to it
	default:
		h.room.Close()
	}
}

// carry combines the transport of a room with that of UDP, if there are both.
func (h *serverSetup) carry(room tickback.Transport) tickback.Transport {
	if p := h.flags.network.Profile; p != nil {
		if t, err := realtime.Wrap(room, p.Link, h.flags.network.Seed+1); err == nil { // no error: the profile was valid for UDP, too
			room = live.Drained{Impaired: t}
		}
	}
	if h.transport == nil {
		return room
	}
	return joint.New(
		joint.Route{Part: room, Owns: online.OwnsAddress},
		joint.Route{Part: h.transport, Owns: func(netip.AddrPort) bool { return true }},
	)
}

// origin returns where a client comes from: the room and its name there, or its address.
func (h *serverSetup) origin(e *tickback.Event) string {
	if at, err := netip.ParseAddrPort(e.Text); err == nil && online.OwnsAddress(at) {
		for p := range e.Players.All() {
			return fmt.Sprintf("the room (%s)", console.Printable(h.roster.Name(p)))
		}
	}
	return e.Text
}

// tell publishes in the room who plays, and reports changes of the room.
func (h *serverSetup) tell(now time.Time) {
	if h.room == nil || now.Before(h.tellAt) {
		return
	}
	h.tellAt = now.Add(time.Second)
	for e, ok := h.room.Receive(); ok; e, ok = h.room.Receive() {
		switch e.Kind {
		case rooms.Away:
			h.log.Say("the server of the room is out of reach: nobody else can join by the link until it is back")
		case rooms.Back:
			h.log.Say("the server of the room is back")
		case rooms.Closed:
			h.log.Say("the room is gone, nobody else can join by its link: %v", e.Err)
		}
	}
	_ = h.roster.Publish(h.room) // the next update tries it again
	if err := h.keepRoom(); err != nil && !h.unkept {
		h.unkept = true // the next update tries it again, but it is reported only once
		h.log.Tell("%v", err)
	}
}

// enter joins the room of a link, and waits for its match.
func (s *clientSetup) enter(ctx context.Context, link, name string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, s.flags.timeout)
	defer cancel()
	cfg := roomConfig(s.game, link, name)
	cfg.Role = rooms.Spectator
	if s.room, err = online.Join(ctx, link, cfg); err == nil {
		err = s.room.Wait(ctx)
	}
	if errors.Is(err, context.Canceled) {
		return console.Failed(console.ErrInterrupted)
	}
	return roomError(err)
}
