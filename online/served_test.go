//go:build !js

package online

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/transport/joint"
	"github.com/tickback/tickback/transport/memory"
)

// tankRate is the number of ticks per second of these matches, high so that they do not take long.
const tankRate = 100

// hallConfig is the configuration of a room for a match that a server owns.
func hallConfig(name string) Config {
	return Config{GameID: tanks.ID, Build: "1", Name: name, Seats: 1, Spectators: 16, Role: rooms.Spectator, Loopback: true}
}

func startTanks(p tickback.Parameters) (func(*tanks.State), error) {
	return tanks.Start(p.Seed, p.Data)
}

// owned begins a match that is owned here, with a number of ticks.
func owned(t *testing.T, r *Room, ticks tickback.Frame, wrap func(tickback.Transport) tickback.Transport) *tickback.Server[tanks.State, tanks.Input] {
	t.Helper()
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	wait(t, r)
	m, err := Serve(r, tanks.Game(0), tickback.ServerOptions[tanks.State, tanks.Input]{
		Players: tanks.MaxPlayers, TickRate: tankRate, Start: startTanks, Match: tickback.Parameters{Seed: 7, Frames: ticks, Data: []byte("endless")},
		Timeouts: tickback.Timeouts{Drop: time.Second, Linger: time.Second},
	}, wrap)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func tankOptions() tickback.ClientOptions[tanks.State, tanks.Input] {
	return tickback.ClientOptions[tanks.State, tanks.Input]{
		Players: tanks.MaxPlayers, TickRate: tankRate, Start: startTanks,
		Sample: func(tickback.Player) tanks.Input {
			return tanks.Input{Throttle: tanks.StickEnd, Turn: 30, Buttons: tanks.Fire}
		},
		Timeouts: tickback.Timeouts{Drop: 2 * time.Second},
	}
}

// linked waits until a member is connected to another one.
func linked(t *testing.T, r, other *Room) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		for _, p := range r.Peers() {
			if p.ID == other.Me().ID && p.State == peers.Connected {
				return
			}
		}
		if time.Now().After(end) {
			t.Fatal("they are not connected")
		}
	}
}

// A member of a room with one seat owns its match. Two others play in it over WebRTC, and one in the same process;
// one comes late, and one comes back. All end with the server's state. Then there is another match.
func TestAMatchThatAMemberOwns(t *testing.T) {
	page := serveRooms(t)
	own := hallConfig("Server")
	own.Role = rooms.AnyRole
	house := must(t)(Create(within(t), page, own))
	if m, ok := house.Owner(); !ok || m.Name != "Server" {
		t.Fatal(m, ok)
	}
	ada := must(t)(Join(within(t), house.Link(), hallConfig("Ada")))
	if _, err := Connect(ada, tanks.Game(0), tankOptions()); !errors.Is(err, ErrNoMatch) {
		t.Error(err)
	}
	for round := range 2 {
		linked(t, house, ada) // each match has new connections, and lasts for 3 s: on a slow machine it would be over
		network := memory.New()
		home, here := network.Open(), network.Open()
		server := owned(t, house, 300, func(room tickback.Transport) tickback.Transport {
			return joint.New(joint.Route{Part: home, Owns: memory.Owns}, joint.Route{Part: room, Owns: OwnsAddress})
		})
		if _, err := Connect(house, tanks.Game(0), tankOptions()); !errors.Is(err, ErrServing) {
			t.Error(err)
		}
		var roster Roster
		peak := 0
		var outs [3]tickback.Outcome
		var all sync.WaitGroup
		all.Go(func() {
			o := tankOptions()
			o.Server, o.Transport, o.GameID, o.Build = home.LocalAddr(), here, tanks.ID, "1"
			m, err := tickback.Connect(tanks.Game(0), o)
			if err != nil {
				t.Error(err)
				return
			}
			outs[0] = until(t, "inside", m, nil)
		})
		all.Go(func() {
			wait(t, ada)
			m, err := Connect(ada, tanks.Game(0), tankOptions())
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := Connect(ada, tanks.Game(0), tankOptions()); !errors.Is(err, ErrBusy) {
				t.Error(err)
			}
			until(t, "Ada", m, func() bool { return m.Known() > 80 })
			if m, err = Connect(ada, tanks.Game(0), tankOptions()); err != nil {
				t.Error(err)
				return
			}
			outs[1] = until(t, "Ada again", m, nil)
		})
		all.Go(func() {
			time.Sleep(time.Second) // Bo comes late
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			bo, err := Join(ctx, house.Link(), hallConfig("Bo"))
			if err != nil {
				t.Error(err)
				return
			}
			defer bo.Close()
			if bo.Me().Seat != rooms.NoSeat || bo.Wait(ctx) != nil {
				t.Errorf("Bo is %+v", bo.Me())
			}
			m, err := Connect(bo, tanks.Game(0), tankOptions())
			if err != nil {
				t.Error(err)
				return
			}
			outs[2] = until(t, "Bo", m, nil)
		})
		var names [tickback.MaxPlayers]string
		truth := until(t, "the server", server, func() bool {
			for _, e := range server.Events() {
				roster.Hear(house, &e)
			}
			if n := server.Members().Len(); n > peak {
				peak, names = n, roster.Names()
			}
			_ = roster.Publish(house) // the next turn tries again
			return false
		})
		all.Wait()
		for i, o := range outs {
			if o.Summary != truth.Summary || o.Frames != 300 || o.Health != tickback.Healthy {
				t.Errorf("round %d: client %d ends with %+v, the server with %+v", round, i, o, truth)
			}
		}
		slices.Sort(names[:3]) // the network decides whose turn it was
		if names[0] != "Ada" || names[1] != "Bo" || !strings.HasPrefix(names[2], "Player ") || names[3] != "" {
			t.Errorf("the players were %q", names)
		}
	}
}

// A member without the first seat owns nothing, and without an owner there is nobody to connect to.
func TestWhoMayOwnAMatch(t *testing.T) {
	page := serveRooms(t)
	own := hallConfig("Server")
	own.Role = rooms.AnyRole
	house := must(t)(Create(within(t), page, own))
	ada := must(t)(Join(within(t), house.Link(), hallConfig("Ada")))
	none := tickback.ServerOptions[tanks.State, tanks.Input]{Players: 2, Start: startTanks}
	if _, err := Serve(house, tanks.Game(0), none, nil); !errors.Is(err, ErrNoMatch) {
		t.Error(err)
	}
	server := owned(t, house, 0, nil)
	defer server.Close()
	sees(t, ada, "a match", func(s rooms.State) bool { return s.Match != 0 })
	if _, err := Serve(ada, tanks.Game(0), none, nil); !errors.Is(err, ErrNotServing) {
		t.Error(err)
	}
	bad := tankOptions()
	bad.Players = 99
	if _, err := Connect(ada, tanks.Game(0), bad); err == nil {
		t.Error("99 players")
	}
	house.Close()
	sees(t, ada, "nobody who owns it", func(s rooms.State) bool { return len(s.Members) == 1 })
	if _, err := Connect(ada, tanks.Game(0), tankOptions()); !errors.Is(err, ErrNobody) && !errors.Is(err, ErrNoMatch) {
		t.Error(err)
	}
	if m, ok := ada.Owner(); ok {
		t.Errorf("%+v owns it", m)
	}
}

// Rule: a client whose server was started again, and came back to its place in the room, continues in the server's
// new match, which does not count as one that was not played here, whether the room or the server announces it
// first.
func TestAServerThatComesBackToItsRoom(t *testing.T) {
	page := serveRooms(t)
	own := hallConfig("Server")
	own.Role = rooms.AnyRole
	house := must(t)(Create(within(t), page, own))
	ada := must(t)(Join(within(t), house.Link(), hallConfig("Ada")))
	server := owned(t, house, 1<<20, nil) // more than are played
	wait(t, ada)
	o := tankOptions()
	o.Timeouts.Drop = time.Minute
	m, err := Connect(ada, tanks.Game(0), o)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	goOn := func(what string, so func(e []tickback.Event) bool) {
		t.Helper()
		for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
			if _, err := server.Update(); err != nil {
				t.Fatal(err)
			}
			if _, err := m.Update(); err != nil {
				t.Fatal(err)
			}
			if so(m.Events()) {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("waited for %s", what)
			}
		}
	}
	plays := func([]tickback.Event) bool { _, placed := m.Player(); return placed && server.Members().Len() == 1 }
	restarted := func(list []tickback.Event) bool {
		return slices.ContainsFunc(list, func(e tickback.Event) bool { return e.What == tickback.Restarted })
	}
	comesBack := func(match uint32) {
		t.Helper()
		own.Ticket = house.Ticket()
		house.Abandon() // without a word to the client
		was := house.Me()
		house = must(t)(Join(within(t), page+"#room="+ada.State().Room, own))
		if me := house.Me(); me.ID != was.ID || me.Seat != 0 || house.Lost() != nil {
			t.Fatalf("it was %+v, and is %+v, %v", was, me, house.Lost())
		}
		server = owned(t, house, 1<<20, nil)
		sees(t, ada, "the next match", func(s rooms.State) bool { return s.Match == match })
	}
	goOn("the client to play", plays)
	comesBack(2)
	goOn("the event", restarted)
	if !ada.Started() {
		t.Error("the next match of the room has not started, and nobody has said that it is played here")
	}
	if Restarted(ada); ada.Started() {
		t.Error("the match that is played here has started")
	}
	goOn("the client to play again", plays)
	Restarted(ada)
	if ada.Started() {
		t.Error("started, and there is no other match")
	}
	comesBack(3)
	goOn("the event", restarted)
	if ada.Started() {
		t.Error("the match that is played here has started, and the server had told of it before the room")
	}
	goOn("the client to play once more", plays)
	if err := server.Close(); err != nil {
		t.Error(err)
	}
}
