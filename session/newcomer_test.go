package session

import (
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

// A host that has a token answers those who know it, also if nobody may watch, and
// tells them that there is no seat; its match goes on.
func TestAMatchWithoutASeatRefusesNewcomers(t *testing.T) {
	n := uint64(5)
	random := func() uint64 { n = n*6364136223846793005 + 1442695040888963407; return n }
	token := []byte("a secret of 20 bytes")
	host, err := New(sumGame(), Config{
		GameID: "sum", Players: 1, MaxOrders: 300, Random: random, Spectators: spectate.Config{Token: token},
	}, Hooks[sum, uint16]{Sample: func(Player) uint16 { return 1 }})
	if err != nil {
		t.Fatal(err)
	}
	for why, seat := range map[string]*spectate.Seat{
		"there is no match that can be joined now": {Players: 1, ID: 7, Token: token},
		"the token is not that of the match":       {Players: 1, ID: 7, Token: []byte("another one of 20 b.")},
		"there is no room for another spectator":   nil,
		"there are no such players":                {Players: 2, ID: 7, Token: token},
	} {
		v := spectate.NewViewer(spectate.ViewerConfig{
			Hosts: []netip.AddrPort{addrOf(0)}, Period: host.nominal, Timeout: time.Second, Drop: time.Second, Random: random, Seat: seat,
			Compare: func(netip.AddrPort, byte, *datagram.Items) error { return nil },
		})
		start := host.now
		for now := start; now < start+3*time.Second; now += 4 * time.Millisecond {
			host.Update(now)
			host.Events()
			v.Update(now)
			for _, b := range v.Outgoing() {
				host.Receive(now, spectatorAddr, b)
			}
			for to, b := range host.Outgoing() {
				if to == spectatorAddr {
					v.Receive(now, addrOf(0), b)
				}
			}
		}
		var bye *spectate.ByeError
		if !errors.As(v.Err(), &bye) || bye.Reason != why {
			t.Errorf("it is told %v, not %q", v.Err(), why)
		}
	}
	if s := host.Stats(nil); s.Audience.Guests+s.Audience.Seats != 0 || s.Frame < 600 {
		t.Errorf("frame %d, %+v", s.Frame, s.Audience)
	}
}
