//go:build linux

package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/digest"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/webrtc"
	"github.com/tickback/tickback/transport/udp"
)

// totals has the counts.
type totals struct {
	players                          int
	ticks, datagrams, sent, received uint64
	framedSent, framedReceived       uint64
}

func (t totals) plus(o totals) totals {
	return totals{
		t.players + o.players, t.ticks + o.ticks, t.datagrams + o.datagrams, t.sent + o.sent, t.received + o.received,
		t.framedSent + o.framedSent, t.framedReceived + o.framedReceived,
	}
}

// house is a server of one match, which runs in its own goroutine.
type house struct {
	address string
	room    *online.Room
	carrier *webrtc.Transport // nil when playing over UDP
	mu      sync.Mutex
	now     totals
	stop    chan struct{}
	done    chan struct{}
}

func startTanks(p tickback.Parameters) (func(*tanks.State), error) {
	return tanks.Start(p.Seed, p.Data)
}

// config returns the configuration of a place in a room.
func config(name string) online.Config {
	return online.Config{GameID: tanks.ID, Build: digest.Build(digest.Tanks), Name: name, Seats: 1, Spectators: 24, Loopback: true}
}

// open opens a house: a server with a match that does not end.
func open(ctx context.Context, over, page string, players int) (*house, error) {
	h := &house{stop: make(chan struct{}), done: make(chan struct{})}
	o := tickback.ServerOptions[tanks.State, tanks.Input]{
		Players: players, GameID: tanks.ID, Build: digest.Build(digest.Tanks), TickRate: tanks.TicksPerSecond, Start: startTanks, Carry: tanks.Carry,
		Match: tickback.Parameters{Seed: 1, Data: []byte("endless")},
	}
	var server *tickback.Server[tanks.State, tanks.Input]
	if over == "udp" {
		conn, err := udp.Listen("127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		o.Transport, h.address = conn, conn.LocalAddr().String()
		if server, err = tickback.Serve(tanks.Game(0), o); err != nil {
			return nil, err
		}
	} else {
		cfg := config("server")
		cfg.Transport = func(self uint32, signal peers.Signaler) (online.Transport, error) {
			t, err := webrtc.New(webrtc.Config{Self: self, Signaler: signal, Loopback: true})
			h.carrier = t
			return t, err
		}
		var err error
		if h.room, err = online.Create(ctx, page, cfg); err != nil {
			return nil, err
		}
		if err := errors.Join(h.room.Start(), h.room.Wait(ctx)); err != nil {
			return nil, err
		}
		h.address = h.room.Link()
		if server, err = online.Serve(h.room, tanks.Game(0), o, nil); err != nil {
			return nil, err
		}
	}
	go h.run(server)
	return h, nil
}

// run runs the server of the match until close.
func (h *house) run(server *tickback.Server[tanks.State, tanks.Input]) {
	defer close(h.done)
	defer server.Close()
	for turn := 0; ; turn++ {
		wait, err := server.Update()
		server.Events()
		server.Effects()
		if err != nil {
			return
		}
		if turn%4 == 0 {
			h.count(server.Stats(), server.Members().Len())
		}
		select {
		case <-time.After(wait):
		case <-h.stop:
			return
		}
	}
}

func (h *house) count(s tickback.Stats, players int) {
	n := totals{players: players, ticks: uint64(s.Frame), datagrams: s.Datagrams, sent: s.Bytes}
	for _, l := range s.Links {
		n.received += l.ReceivedBytes
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = n
}

// look returns the current counts.
func (h *house) look() totals {
	h.mu.Lock()
	n := h.now
	h.mu.Unlock()
	if h.carrier != nil {
		n.framedSent, n.framedReceived = h.carrier.Framed()
	}
	return n
}

func (h *house) close() {
	close(h.stop)
	<-h.done
	if h.room != nil {
		_ = h.room.Close()
	}
}
