//go:build !js

package hall_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/digest"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/hall"
	"github.com/tickback/tickback/play/words"
)

// keeper is a machine that owns the match of a room, as "tickback tanks serve" does.
type keeper struct {
	*testing.T
	page   string
	room   *online.Room
	server *tickback.Server[tanks.State, tanks.Input]
}

// begin makes a room, or returns to the previous one, and begins its match.
func (k *keeper) begin() {
	k.Helper()
	ctx, cancel := context.WithTimeout(k.Context(), patience)
	defer cancel()
	cfg := online.Config{GameID: tanks.ID, Build: digest.Build(digest.Tanks), Name: "Server", Seats: 1, Spectators: 8, Loopback: true}
	var err error
	if k.room == nil {
		k.room, err = online.Create(ctx, k.page, cfg)
	} else {
		cfg.Ticket = k.room.Ticket()
		k.room, err = online.Join(ctx, k.room.Link(), cfg)
	}
	if err != nil {
		k.Fatal(err)
	}
	if err := k.room.Start(); err != nil {
		k.Fatal(err)
	}
	if err := k.room.Wait(ctx); err != nil {
		k.Fatal(err)
	}
	k.server, err = online.Serve(k.room, tanks.Game(0), tickback.ServerOptions[tanks.State, tanks.Input]{
		Players: 4, TickRate: tanks.TicksPerSecond, Start: app.StartTanks,
	}, nil)
	if err != nil {
		k.Fatal(err)
	}
}

// vanish ends the server without notifying its clients.
func (k *keeper) vanish() {
	k.room.Abandon()
	k.server = nil
}

// plays reports whether a client plays in the current match, and runs that match.
func (k *keeper) plays(c *client) func() bool {
	return func() bool {
		if k.server == nil {
			return false
		}
		k.server.Update()
		return c.Status().Seat >= 0 && c.Status().Message == "" && k.server.View().Frame > 20 && k.server.Members().Len() == 1
	}
}

// Rule: a page whose server disappears says so in its language, and continues by itself when the server is back, at once
// or later. When the room has given up the server, the page says that, too, and still continues if the server returns.
func TestAServerThatComesBackUnderAPage(t *testing.T) {
	alone(t)
	var later atomic.Int64
	page, _ := roomstest.Serve(t, rooms.Config{Now: func() time.Time { return time.Now().Add(time.Duration(later.Load())) }})
	k := &keeper{T: t, page: page}
	k.begin()
	ada := guest(t, "Ada", k.room.Link(), true, hall.Config{})
	all := []*client{ada}
	until(t, "it to play", all, k.plays(ada))

	k.vanish()
	k.begin()
	told := false
	until(t, "it to play at once", all, func() bool {
		told = told || ada.says("The server was started again") || ada.says("The server is there again")
		return k.plays(ada)() && told
	})

	k.vanish()
	until(t, "it to say so", all, func() bool { return ada.says("The server has stopped. When it is back, you play on") })
	words.Set(words.German)
	until(t, "it to say so in German", all, func() bool { return ada.says("Der Server ist ausgefallen. Ist er wieder da, spielst du weiter") })
	words.Set(words.English)
	k.begin()
	until(t, "it to play again", all, k.plays(ada))

	k.vanish()
	until(t, "it to say so again", all, func() bool { return ada.says("The server has stopped") })
	later.Store(int64(time.Hour))
	until(t, "it to say that nobody comes", all, func() bool { return strings.Contains(ada.Status().Message, "The server has not come back") })
	k.begin()
	until(t, "it to play after all", all, k.plays(ada))
	if err := k.server.Close(); err != nil {
		t.Error(err)
	}
	_ = k.room.Close()
}
