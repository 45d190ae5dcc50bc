// Command page is a page that plays, for tests of browsers. It joins the room of its own address, or makes one, plays
// the duel with a script, and leaves the outcome in window.tickback.
package main

import (
	"context"
	"encoding/json"
	"strconv"
	"syscall/js"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
)

const ticketKey = "ticket"

func main() {
	js.Global().Set("tickback", map[string]any{})
	if err := play(context.Background()); err != nil {
		tell("error", err.Error())
	}
	select {} // keep running, as the test may still query the page
}

func tell(key string, value any) { js.Global().Get("tickback").Set(key, value) }

func enter(ctx context.Context) (*online.Room, error) {
	cfg := online.Config{GameID: "duel", Build: "test", Seats: 2, Spectators: 2, Name: "page", RelayOnly: query("relay") == "1"}
	store, here := js.Global().Get("sessionStorage"), js.Global().Get("location").Get("href").String()
	if ticket := store.Call("getItem", ticketKey); ticket.Type() == js.TypeString {
		cfg.Ticket = ticket.String()
	}
	room, err := (*online.Room)(nil), error(nil)
	if online.RoomOf(here) == "" {
		room, err = online.Create(ctx, here, cfg)
	} else {
		room, err = online.Join(ctx, here, cfg)
	}
	if err == nil {
		store.Call("setItem", ticketKey, room.Ticket())
		tell("link", room.Link())
		tell("seat", room.Me().Seat)
	}
	return room, err
}

// seated counts the players.
func seated(s rooms.State) (n int) {
	for _, m := range s.Members {
		if m.Seat != rooms.NoSeat {
			n++
		}
	}
	return n
}

// start starts the match when two players are there, if we are the host.
func start(ctx context.Context, room *online.Room) error {
	for room.IsHost() && seated(room.State()) < 2 {
		select {
		case <-room.Notify():
			room.Receive()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if room.IsHost() && room.State().Match == 0 {
		return room.Start()
	}
	return nil
}

func play(ctx context.Context) error {
	room, err := enter(ctx)
	if err != nil {
		return err
	}
	tell("state", js.FuncOf(func(js.Value, []js.Value) any {
		b, _ := json.Marshal(map[string]any{"room": room.State(), "peers": room.Peers()}) // for the investigation of failures
		return string(b)
	}))
	if err := start(ctx, room); err != nil {
		return err
	}
	if err := room.Wait(ctx); err != nil {
		return err
	}
	game, err := duel.Game(7)
	if err != nil {
		return err
	}
	bot := duel.Bot{Seed: 3}
	var m *tickback.Match[duel.State, duel.Input]
	m, err = online.Play(room, game, tickback.Options[duel.State, duel.Input]{
		Match: tickback.Parameters{Seed: 7, Frames: frames()},
		Sample: func(p tickback.Player) duel.Input {
			v := m.View()
			return bot.Input(p, v.Frame, v.Current)
		},
		Timeouts: tickback.Timeouts{Drop: 10 * time.Second, Warn: time.Second},
	})
	if err != nil {
		return err
	}
	defer m.Close()
	for {
		wait, err := m.Update()
		tell("frame", int(m.View().Frame))
		if o, over := m.Outcome(); over {
			return report(room, m, o)
		}
		if err != nil {
			return room.Explain(err)
		}
		m.Wait(wait)
	}
}

// frames returns the length of the match, which the address can give (?frames=N).
func frames() tickback.Frame {
	n, _ := strconv.Atoi(query("frames"))
	return tickback.Frame(n)
}

// query returns a value of the address's query, or "<null>" if it has none.
func query(key string) string {
	search := js.Global().Get("URLSearchParams").New(js.Global().Get("location").Get("search"))
	return search.Call("get", key).String()
}

func report(room *online.Room, m *tickback.Match[duel.State, duel.Input], o tickback.Outcome) error {
	s := m.Stats()
	b, err := json.Marshal(map[string]any{
		"frames": o.Frames, "hash": strconv.FormatUint(o.Hash, 16), "health": o.Health.String(), "links": len(s.Links),
		"peers": len(room.Peers()),
	})
	tell("outcome", string(b))
	return err
}
