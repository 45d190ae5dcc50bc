package tickback_test

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/netem/realtime"
	"github.com/tickback/tickback/predict/smooth"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/transport/udp"
)

// serveMatch is a whole server.
func serveMatch(token tickback.Token, record *os.File) error {
	conn, err := udp.Listen(":7000")
	if err != nil {
		return err
	}
	server, err := tickback.Serve(game, tickback.ServerOptions[State, Input]{
		Players: 2, Transport: conn, TickRate: 20, Token: token,
		Check:  func(s *State, p tickback.Player, in Input) bool { return in.Turn.Abs() <= quarter },
		Record: record,
	})
	if err != nil {
		return err
	}
	defer server.Close() // tells the clients
	for {
		wait, err := server.Update()
		if errors.Is(err, tickback.ErrEnd) {
			return nil // the match is over, and the clients know
		} else if err != nil {
			return err
		}
		for _, e := range server.Events() {
			fmt.Println(e) // joined, left, lost, dropped, ended
		}
		server.Wait(wait)
	}
}

// playAt is a whole client.
func playAt(address string, token tickback.Token, id uint64) error {
	conn, servers, err := udp.Open(":0", address)
	if err != nil {
		return err
	}
	client, err := tickback.Connect(game, tickback.ClientOptions[State, Input]{
		Server: servers[0], Transport: conn, Players: 2, TickRate: 20, Token: token,
		ID:     id, // the same when this player comes again
		Sample: keyboard,
	})
	if err != nil {
		return err
	}
	defer client.Close() // tells the server
	window := window{drawn: time.Now()}
	for {
		wait, err := client.Update()
		if errors.Is(err, tickback.ErrEnd) {
			return nil // the match is over
		} else if err != nil {
			return err // the server is silent, says goodbye, or has another game
		}
		if me, ok := client.Player(); ok {
			window.draw(me, client, client.Effects())
		}
		client.Wait(wait)
	}
}

// window draws the player's own ball where it is predicted, and the other one where it is known to have been a moment
// ago.
type window struct {
	hidden smooth.Offset // how far corrections have moved the player's own ball without showing it yet
	frame  tickback.Frame
	x, y   float64 // of the player's own ball in that frame, as it was predicted
	drawn  time.Time
}

func (w *window) draw(me tickback.Player, client *tickback.Client[State, Input], sounds []effects.Event) {
	v := client.View()
	if !v.Running {
		return
	}
	// Where the last picture had the ball, less where that frame has it now.
	if then := client.StateAt(w.frame); then != nil && w.frame > 0 {
		x, y := then.Ball[me].FloatsForDrawing()
		w.hidden.Add(smooth.Vec{w.x - x, w.y - y})
	}
	now := time.Now()
	w.hidden.Advance(now.Sub(w.drawn))
	w.frame, w.drawn = v.Frame, now
	w.x, w.y = v.Current.Ball[me].FloatsForDrawing()

	own := between(v.Previous.Ball[me], v.Current.Ball[me], v.Fraction)
	left := w.hidden.At()
	own[0], own[1] = own[0]+left[0], own[1]+left[1]
	other := between(v.Before.Ball[1-me], v.After.Ball[1-me], v.Share)
	picture(own, other, sounds)
}

// A match owned by a server, with one client, over an in-process network with a delay of 10 ms.
func ExampleServe() {
	conn, err := udp.Listen("127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	server, err := tickback.Serve(game, tickback.ServerOptions[State, Input]{
		Players: 2, Transport: conn, TickRate: 60, Match: tickback.Parameters{Frames: 60},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client, err := connectTo(conn.LocalAddr())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	for {
		if _, err := server.Update(); err != nil {
			fmt.Println(err)
			return
		}
		if _, err := client.Update(); err != nil {
			fmt.Println(err)
			return
		}
		if end, over := client.Outcome(); over && !client.View().Running {
			me, _ := client.Player()
			truth, _ := server.Outcome()
			fmt.Println("player", me, "has", end.Frames, "ticks; the server's state is the same:", end.Hash == truth.Hash)
			return
		}
		time.Sleep(time.Millisecond)
	}
	// Output:
	// player 0 has 60 ticks; the server's state is the same: true
}

// connectTo connects over an impaired network.
func connectTo(server netip.AddrPort) (*tickback.Client[State, Input], error) {
	conn, err := udp.Listen("127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	late, err := realtime.Wrap(conn, netem.Link{Delay: 10 * time.Millisecond}, 1)
	if err != nil {
		return nil, err
	}
	return tickback.Connect(game, tickback.ClientOptions[State, Input]{
		Server: server, Transport: late, Players: 2, TickRate: 60, Sample: keyboard,
	})
}

var _, _ = serveMatch, playAt

var quarter = fixed.FromRatio(1, 4)

func between(a, b fixed.Vec2, share float64) [2]float64 {
	ax, ay := a.FloatsForDrawing()
	bx, by := b.FloatsForDrawing()
	return [2]float64{ax + share*(bx-ax), ay + share*(by-ay)}
}

func picture(_, _ [2]float64, _ []effects.Event) {}
