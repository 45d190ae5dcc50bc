//go:build !js

package online

import (
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
)

// carrier is a transport that has received something, and records what is sent.
type carrier struct {
	waiting, sent, closed int
}

func (c *carrier) Send(netip.AddrPort, []byte) error { c.sent++; return nil }

func (c *carrier) Receive([]byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	if c.waiting == 0 {
		return 0, from, at, false
	}
	c.waiting--
	return 1, peers.AddrOf(2), at, true
}

func (c *carrier) Notify() <-chan struct{} { return nil }
func (c *carrier) Close() error            { c.closed++; return nil }
func (c *carrier) SetPeers(...uint32)      {}
func (c *carrier) Deliver(uint32, string)  {}
func (c *carrier) Peers() []peers.Peer     { return nil }

// A match has the transport until it closes it, and gets nothing from the previous
// match.
func TestTheTransportIsLent(t *testing.T) {
	carries := &carrier{waiting: 3}
	cfg := config("Ada")
	cfg.Transport = func(uint32, peers.Signaler) (Transport, error) { return carries, nil }
	r := must(t)(Create(within(t), serveRooms(t), cfg))
	one, err := r.lend(1)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, ok := one.Receive(nil); ok {
		t.Error("it hears what came before")
	}
	carries.waiting = 1
	if _, _, _, ok := one.Receive(nil); !ok || one.Send(peers.AddrOf(2), nil) != nil {
		t.Error("it carries nothing")
	}
	if _, err := r.lend(1); !errors.Is(err, ErrBusy) {
		t.Errorf("lent twice: %v", err)
	}
	carries.waiting = 1
	for range 2 {
		if err := one.Close(); err != nil {
			t.Error(err)
		}
		if _, _, _, ok := one.Receive(nil); ok || !errors.Is(one.Send(peers.AddrOf(2), nil), net.ErrClosed) || carries.sent != 1 {
			t.Error("what is closed still carries something")
		}
	}
	two, err := r.lend(2)
	if err != nil {
		t.Fatal(err)
	}
	if _ = one.Close(); carries.closed != 0 {
		t.Error("the end of a match ends the connections")
	}
	if _, err := r.lend(2); !errors.Is(err, ErrBusy) {
		t.Errorf("closing the first one again took the transport from the second one: %v", err)
	}
	r.revoke(two)
	if r.Close(); carries.closed != 1 {
		t.Errorf("closed %d times with the room", carries.closed)
	}
	if _, err := r.lend(3); !errors.Is(err, rooms.ErrClosed) {
		t.Errorf("lent by a closed room: %v", err)
	}
}

// Others may send without end: that does not prevent a match from beginning.
func TestAFloodBeforeAMatch(t *testing.T) {
	carries := &carrier{waiting: 1 << 40}
	cfg := config("Ada")
	cfg.Transport = func(uint32, peers.Signaler) (Transport, error) { return carries, nil }
	r := must(t)(Create(within(t), serveRooms(t), cfg))
	if _, err := r.lend(1); err != nil {
		t.Fatal(err)
	}
}
