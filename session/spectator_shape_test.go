package session

import (
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: if a host says that the match has another number of players, a recording for
// a given number of players does not continue with it.
func TestARecordingHasOneShape(t *testing.T) {
	s, err := NewSpectator(sumGame(), SpectatorConfig{GameID: "sum", Hosts: []netip.AddrPort{addrOf(0)}, Random: func() uint64 { return 4 }}, SpectatorHooks[sum, uint16]{})
	if err != nil {
		t.Fatal(err)
	}
	host := func(players byte) {
		if err := s.compare(addrOf(0), datagram.Version, &datagram.Items{Game: "sum", Players: players, InputSize: 2, TickRate: 60}); err != nil {
			t.Fatal(err)
		}
	}
	r := new(Reel)
	if err := s.Record(r, EveryFrame); err != nil {
		t.Fatal(err)
	}
	host(2)
	if r.Done != nil {
		t.Fatal("it ends before it begins")
	}
	if err := s.shown.begin(&datagram.Offer{Match: 1}); err != nil {
		t.Fatal(err)
	}
	if err := s.shown.run(&agreed.Frame{Inputs: make([]byte, 4)}); err != nil {
		t.Fatal(err)
	}
	host(2)
	if r.Done != nil || len(r.Frames) != 1 || r.Start.Shape.Players != 2 {
		t.Fatalf("%+v, %d frames", r.Done, len(r.Frames))
	}
	host(3)
	if r.Done == nil || r.Done.Failed == nil || r.Done.Next != 1 {
		t.Errorf("another number of players: %+v", r.Done)
	}
}

// A host with an impossible match, with no players or too many, is not watched. A
// spectator that is over records nothing.
func TestWhatASpectatorDoesNotTake(t *testing.T) {
	s, err := NewSpectator(sumGame(), SpectatorConfig{GameID: "sum", Hosts: []netip.AddrPort{addrOf(0)}, Random: func() uint64 { return 4 }}, SpectatorHooks[sum, uint16]{})
	if err != nil {
		t.Fatal(err)
	}
	for players, good := range map[byte]bool{0: false, 1: true, 8: true, 9: true, 16: true, 17: false, 255: false} {
		err := s.compare(addrOf(0), datagram.Version, &datagram.Items{Game: "sum", Players: players, InputSize: 2, TickRate: 60})
		if good != (err == nil) || !good && !errors.Is(err, datagram.ErrRange) {
			t.Errorf("%d players: %v", players, err)
		}
	}
	s.Update(time.Hour)
	s.Leave("")
	if next := s.Update(time.Hour); next != time.Hour+time.Second/60 {
		t.Errorf("one that is over is to be called again at %v", next)
	}
	if err := s.Record(new(Reel), EveryFrame); !errors.Is(err, ErrClosed) {
		t.Errorf("a recording of one that is over: %v", err)
	}
}
