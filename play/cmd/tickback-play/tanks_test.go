//go:build !js

package main_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/digest"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
)

// tanksPage opens a page in which a person plays with tanks.
func tanksPage(t *testing.T, name, address string) *browsertest.Page {
	t.Helper()
	return visit(t, name, address, width, height, calm)
}

// drives fails unless holding a key in a page moves its own tank, within a few frames.
func drives(t *testing.T, p *browsertest.Page) {
	t.Helper()
	before := until(t, p, "there is a tank of its own", func(s app.Status) bool { return s.At != nil && s.Frame > 20 })
	p.Key("KeyW", true)
	after := until(t, p, "it moves", func(s app.Status) bool { return s.At != nil && moved(before.At, s.At) > 24 })
	p.Key("KeyW", false)
	p.Key("KeyA", true)
	until(t, p, "it turns, and stands", func(s app.Status) bool { return s.Frame > after.Frame+12 })
	p.Key("KeyA", false)
	at := browsertest.Now[app.Status](p)
	stands := until(t, p, "it stands", func(s app.Status) bool { return s.Frame > at.Frame+8 })
	if at.At != nil && stands.At != nil && moved(at.At, stands.At) > 2 {
		t.Errorf("%s: the tank drives from %v to %v, and nothing is held", p.Name, *at.At, *stands.At)
	}
}

func moved(a, b *[2]float32) float64 {
	return math.Hypot(float64(a[0]-b[0]), float64(a[1]-b[1]))
}

// A page hosts a match of tanks: it owns it, for itself, for two bots and for a guest's page. Both drive their own
// tanks, see each other's names, have the same states on the way, and reach the same end.
func TestTanksOfAHostingPage(t *testing.T) {
	site := open(t, rooms.Config{})
	ada := tanksPage(t, "Ada", site.url+"?mode=tanks&host=1&bots=4&silent=1&seed=5&name=Ada&frames=500")
	link := until(t, ada, "there is a room", func(s app.Status) bool { return s.Room != "" && s.Seat >= 0 }).Room
	bo := tanksPage(t, "Bo", strings.Replace(link, "#", "?silent=1&name=Bo#", 1))
	until(t, bo, "it plays", func(s app.Status) bool { return s.Mode == "hall" && s.Seat >= 0 && s.Frame > 20 })
	drives(t, ada)
	drives(t, bo)
	for _, p := range []*browsertest.Page{ada, bo} {
		until(t, p, "both names, and bots", func(s app.Status) bool {
			return slices.Contains(s.Names, "Ada") && slices.Contains(s.Names, "Bo") && slices.Contains(s.Names, "RIVET")
		})
		p.Shot(p.Name + " plays with tanks")
	}
	end := agree(t, 500, ada, bo)
	if end.Frame != 500 {
		t.Errorf("the match has %d frames", end.Frame)
	}
	ada.Shot("after the match")
	// One follows another, each of 25 s: a slow machine looks at a later one.
	until(t, bo, "a next match", func(s app.Status) bool { return s.Matches >= 1 && s.Frame > 20 && s.Frame < 400 && s.Seat >= 0 })
}

// nativeServer owns a match of tanks in this process, in a room, until it is over.
type nativeServer struct {
	link   string
	ticket string
	vanish func()       // without a word to its clients
	joins  atomic.Int32 // clients that have come
	end    chan tickback.Outcome
	tape   *bytes.Buffer
}

// tanks makes a room, or returns to that of a ticket, and owns its match.
func (s site) tanks(t *testing.T, ticks tickback.Frame, ticket string) *nativeServer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cfg := online.Config{GameID: tanks.ID, Build: digest.Build(digest.Tanks), Name: "server", Seats: 1, Spectators: 24, Loopback: true, Ticket: ticket}
	enter, address := online.Create, s.url
	if ticket != "" {
		enter, address = online.Join, s.url+"#room="+rooms.RoomOf(ticket)
	}
	room, err := enter(ctx, address, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { room.Close() })
	if err := errors.Join(room.Start(), room.Wait(ctx)); err != nil {
		t.Fatal(err)
	}
	n := &nativeServer{link: room.Link(), ticket: room.Ticket(), vanish: room.Abandon, end: make(chan tickback.Outcome, 1), tape: new(bytes.Buffer)}
	server, err := online.Serve(room, tanks.Game(0), tickback.ServerOptions[tanks.State, tanks.Input]{
		Players: tanks.MaxPlayers, TickRate: tanks.TicksPerSecond, Start: startTanks, Carry: tanks.Carry,
		Match: tickback.Parameters{Seed: 5, Frames: ticks}, Record: n.tape, Timeouts: tickback.Timeouts{Linger: 5 * time.Second},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	stop, done := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(stop); <-done })
	go func() {
		defer close(done)
		defer server.Close()
		var roster online.Roster
		for {
			wait, err := server.Update()
			for _, e := range server.Events() {
				roster.Hear(room, &e)
				if e.What == tickback.Joined {
					n.joins.Add(1)
				}
			}
			_ = roster.Publish(room) // it is tried again
			if err != nil {
				o, _ := server.Outcome()
				server.Close()
				n.end <- o
				return
			}
			select {
			case <-time.After(min(wait, 5*time.Millisecond)):
			case <-stop:
				return
			}
		}
	}()
	return n
}

func startTanks(p tickback.Parameters) (func(*tanks.State), error) {
	return tanks.Start(p.Seed, p.Data)
}

// Two pages play on a server that is a native program. One is hidden for a while. Both end with the server's state, and
// so does its recording.
func TestTanksOfANativeServer(t *testing.T) {
	site := open(t, rooms.Config{})
	const ticks = 1200 // pages on a busy machine take half a minute to join and drive
	server := site.tanks(t, ticks, "")
	follow := func(name string) *browsertest.Page {
		p := tanksPage(t, name, strings.Replace(server.link, "#", "?silent=1&name="+name+"#", 1))
		until(t, p, "it plays", func(s app.Status) bool { return s.Mode == "hall" && s.Seat >= 0 && s.Frame > 20 })
		return p
	}
	ada, bo := follow("Ada"), follow("Bo")
	drives(t, ada)
	drives(t, bo)
	bo.Hide()
	sees(t, ada, "Bo", "away")
	hidden := browsertest.Now[app.Status](bo)
	bo.Show()
	until(t, bo, "it goes on", func(s app.Status) bool { return s.Frame > hidden.Frame+10 })
	ada.Shot("at a server")
	end := agree(t, ticks, ada, bo)
	select {
	case o := <-server.end:
		if uint32(o.Frames) != end.Frame || o.Frames != ticks || o.Health == tickback.Desynced {
			t.Errorf("the server ends with %+v, and the pages with %+v", o, end)
		}
	case <-time.After(time.Minute):
		t.Fatal("the server does not end")
	}
	verifies(t, server.tape.Bytes(), end.Outcome)
}

// A page whose server disappears, and is restarted with its ticket, plays in the new match without any action by the
// player.
func TestTanksOfAServerThatComesBack(t *testing.T) {
	site := open(t, rooms.Config{})
	const ticks = 1 << 20 // more than are played
	server := site.tanks(t, ticks, "")
	ada := visit(t, "Ada", strings.Replace(server.link, "#", "?auto=1&silent=1&name=Ada#", 1), width, height, calm)
	before := until(t, ada, "it plays", func(s app.Status) bool { return s.Mode == "hall" && s.Seat >= 0 && s.Frame > 20 })
	server.vanish()
	server = site.tanks(t, ticks, server.ticket)
	back := until(t, ada, "it plays at the new server", func(s app.Status) bool { return s.Seat >= 0 && server.joins.Load() == 1 })
	until(t, ada, "it goes on", func(s app.Status) bool { return s.Seat >= 0 && s.Frame > back.Frame+20 && s.Room == before.Room })
}
