package ggpo_test

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/compat/ggpo"
)

// By port numbers, as with the ports of GGPO: two programs and a spectator on this machine play over UDP.
func TestOverUDP(t *testing.T) {
	var players []*player
	var peers []*ggpo.Peer
	for i := range 2 {
		p := newPlayer(t, 4, uint64(i))
		b := ggpo.NewPeer(p, 0, 2, 4)
		ok(t, b.InitializeConnection())
		ok(t, b.AddSpectator("", 0))
		p.backend = &b
		players, peers = append(players, p), append(peers, &b)
	}
	for i, b := range peers {
		for n := 1; n <= 2; n++ {
			who := ggpo.NewRemotePlayer(20, n, "localhost", peers[n-1].Port())
			if n == i+1 {
				who = ggpo.NewLocalPlayer(20, n)
			}
			var h ggpo.PlayerHandle
			ok(t, b.AddPlayer(&who, &h))
			if n == i+1 {
				players[i].handles = append(players[i].handles, h)
			}
		}
		b.Start()
	}
	p := newPlayer(t, 4, 9)
	s := ggpo.NewSpectator(p, 0, 2, 4, "127.0.0.1", peers[0].Port())
	s.Start()
	p.backend, p.handles = &s, []ggpo.PlayerHandle{1}
	players = append(players, p)
	for len(players[2].sums) < 100 { // until that happens, and as fast as it goes
		for _, p := range players {
			ok(t, p.backend.Idle(1))
			if err := p.turn(); err != nil && !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodeNotSynchronized}) && !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodePredictionThreshod}) {
				t.Fatal(err)
			}
		}
	}
	equal(t, 60, players...)
	port := peers[0].Port()
	other := ggpo.NewPeer(p, port, 2, 4)
	if err := other.InitializeConnection(); !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodeGeneralFailure}) {
		t.Errorf("the port %d is taken, and opening it again gives %v", port, err)
	}
	left := make(chan error)
	go func() { left <- players[0].backend.Close() }() // it waits until the others know
	for players[1].count(ggpo.EventCodeDisconnectedFromPeer) == 0 || players[2].count(ggpo.EventCodeDisconnectedFromPeer) == 0 {
		for _, p := range players[1:] {
			ok(t, p.backend.Idle(1))
			_ = p.turn()
		}
	}
	ok(t, <-left)
	closeAll(t, players[1:])
	again := ggpo.NewPeer(p, port, 2, 4)
	ok(t, again.InitializeConnection()) // Close has freed it
	if again.Port() != port {
		t.Errorf("port %d, want %d", again.Port(), port)
	}
	ok(t, again.Close())
}
