package session

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// IPv4 addresses inside IPv6 count as IPv4, in the configuration and in received
// datagrams.
func TestMappedAddresses(t *testing.T) {
	mapped := func(a netip.AddrPort) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom16(a.Addr().As16()), a.Port())
	}
	tr := newTrio(t, 2, func(c *Config) {
		if c.Local.Has(0) {
			c.Peers[0].Addr = mapped(c.Peers[0].Addr)
		}
	})
	for range 100 {
		for i, p := range tr.peers {
			p.Update(tr.now)
			for to, b := range p.Outgoing() {
				if to != addrOf(1-i) {
					t.Fatalf("peer %d sends to %v", i, to)
				}
				tr.peers[1-i].Receive(tr.now, mapped(addrOf(i)), slices.Clone(b))
			}
		}
		tr.now += 4 * time.Millisecond
	}
	for i, p := range tr.peers {
		if p.Phase() != Playing || p.Frame() < 10 {
			t.Errorf("peer %d is %v, frame %d, %d strangers", i, p.Phase(), p.Frame(), p.counts.strangers)
		}
	}
	c := Config{Players: 3, Random: func() uint64 { return 4 }, Peers: []Peer{{rollback.SetOf(1), addrOf(1)}, {rollback.SetOf(2), mapped(addrOf(1))}}}
	if err := c.complete(); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "same address") {
		t.Errorf("one address in two guises: %v", err)
	}
}

// DropAfter must leave room for some datagrams to be lost: four keep-alives, and
// four tick periods. Smaller values are refused by name.
func TestDropAfterHasALeast(t *testing.T) {
	for _, c := range []struct {
		rate int
		drop time.Duration
		ok   bool
	}{
		{60, time.Second, true},
		{60, time.Second - 1, false},
		{60, time.Millisecond, false},
		{60, -1, false},
		{1000, time.Second, true},
		{2, 2 * time.Second, true},
		{2, 2*time.Second - 1, false},
		{1, 4 * time.Second, true},
		{1, 3 * time.Second, false},
		{60, MaxDropAfter, true},
		{60, MaxDropAfter + 1, false},
		{1, 0, true}, // the default
	} {
		cfg := Config{Players: 2, TickRate: c.rate, DropAfter: c.drop, Random: func() uint64 { return 4 }, Peers: []Peer{{rollback.SetOf(1), addrOf(1)}}}
		err := cfg.complete()
		switch {
		case c.ok && err != nil:
			t.Errorf("%v at %d ticks a second: %v", c.drop, c.rate, err)
		case !c.ok && (!errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "DropAfter is "+c.drop.String())):
			t.Errorf("%v at %d ticks a second is not refused by name: %v", c.drop, c.rate, err)
		}
	}
}
