package session

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"

	"github.com/tickback/tickback/session/spectate"
)

// Values outside the limits of a spectator's configuration are refused by name; values on the limits
// are accepted.
func TestLimitsOfASpectator(t *testing.T) {
	for i, r := range []struct {
		refused string // empty: it is taken
		change  func(c *SpectatorConfig)
	}{
		{"", func(*SpectatorConfig) {}},
		{"Hosts is empty", func(c *SpectatorConfig) { c.Hosts = nil }},
		{"Hosts[1] has no address", func(c *SpectatorConfig) { c.Hosts = append(c.Hosts, netip.AddrPort{}) }},
		{"Hosts[0] has no address", func(c *SpectatorConfig) { c.Hosts[0] = netip.AddrPortFrom(addrOf(0).Addr(), 0) }},
		{"Hosts[0] and Hosts[1] have the same address", func(c *SpectatorConfig) { c.Hosts = append(c.Hosts, c.Hosts[0]) }},
		{"Hosts[1] and Hosts[2] have the same address", func(c *SpectatorConfig) { c.Hosts = append(c.Hosts, addrOf(1), addrOf(1)) }},
		{"", func(c *SpectatorConfig) { c.Hosts = append(c.Hosts, addrOf(1)) }},
		{"Random is required", func(c *SpectatorConfig) { c.Random = nil }},
		{"", func(c *SpectatorConfig) { c.Players = rollback.MaxPlayers }},
		{"Players is -1", func(c *SpectatorConfig) { c.Players = -1 }},
		{"Players is 17", func(c *SpectatorConfig) { c.Players = rollback.MaxPlayers + 1 }},
		{"", func(c *SpectatorConfig) { c.TickRate = 1 }},
		{"", func(c *SpectatorConfig) { c.TickRate = MaxTickRate }},
		{"TickRate is -1", func(c *SpectatorConfig) { c.TickRate = -1 }},
		{"TickRate is 1001", func(c *SpectatorConfig) { c.TickRate = MaxTickRate + 1 }},
		{"", func(c *SpectatorConfig) { c.JitterBuffer = 1 }},
		{"", func(c *SpectatorConfig) { c.JitterBuffer = 1 << 16 }},
		{"JitterBuffer is -1 frames, must be 1 to 65536", func(c *SpectatorConfig) { c.JitterBuffer = -1 }},
		{"JitterBuffer is 65537", func(c *SpectatorConfig) { c.JitterBuffer = 1<<16 + 1 }},
		{"", func(c *SpectatorConfig) { c.CatchUp = 1 }},
		{"", func(c *SpectatorConfig) { c.CatchUp = 1 << 10 }},
		{"CatchUp is -1 frames, must be 1 to 1024", func(c *SpectatorConfig) { c.CatchUp = -1 }},
		{"CatchUp is 1025", func(c *SpectatorConfig) { c.CatchUp = 1<<10 + 1 }},
		{"", func(c *SpectatorConfig) { c.ConnectTimeout, c.DropAfter = time.Second, time.Second }},
		{"ConnectTimeout is 999.999999ms", func(c *SpectatorConfig) { c.ConnectTimeout = time.Second - 1 }},
		{"DropAfter 999.999999ms", func(c *SpectatorConfig) { c.DropAfter = time.Second - 1 }},
		{"", func(c *SpectatorConfig) { c.DropAfter = MaxDropAfter }},
		{"DropAfter 2m0.000000001s", func(c *SpectatorConfig) { c.DropAfter = MaxDropAfter + 1 }},
		{"", func(c *SpectatorConfig) { c.MaxState = spectate.MaxState }},
		{"MaxState is -1", func(c *SpectatorConfig) { c.MaxState = -1 }},
		{"MaxState is", func(c *SpectatorConfig) { c.MaxState = spectate.MaxState + 1 }},
	} {
		c := SpectatorConfig{Hosts: []netip.AddrPort{addrOf(0)}, Random: func() uint64 { return 4 }}
		r.change(&c)
		_, err := NewSpectator(sumGame(), c, SpectatorHooks[sum, uint16]{})
		switch {
		case r.refused == "" && err != nil:
			t.Errorf("rule %d: %v", i, err)
		case r.refused != "" && (!errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), r.refused)):
			t.Errorf("rule %d: %v, must be refused with %q", i, err, r.refused)
		}
	}
}

// Unset fields get the defaults that their documentation names. An IPv4 address inside IPv6 counts as
// IPv4, and the caller's list is unchanged.
func TestDefaultsOfASpectator(t *testing.T) {
	mapped := netip.AddrPortFrom(netip.AddrFrom16(addrOf(0).Addr().As16()), addrOf(0).Port())
	hosts := []netip.AddrPort{mapped}
	c := SpectatorConfig{Hosts: hosts, Random: func() uint64 { return 4 }}
	if err := c.complete(); err != nil {
		t.Fatal(err)
	}
	if c.TickRate != 60 || c.JitterBuffer != 12 || c.CatchUp != 8 || c.ConnectTimeout != 15*time.Second || c.DropAfter != 2*time.Second {
		t.Errorf("%+v", c)
	}
	if !slices.Equal(c.Hosts, []netip.AddrPort{addrOf(0)}) || hosts[0] != mapped {
		t.Errorf("hosts are %v, and the caller's %v", c.Hosts, hosts)
	}
}

// A spectator that is not given the number of players makes an engine for as many as the game takes; a
// number that is given and that the game refuses is an error.
func TestASpectatorOfAGameThatTakesOnlySomeNumbers(t *testing.T) {
	few := errors.New("three at least")
	game := sumGame()
	game.Players = func(n int) error {
		if n < 3 {
			return few
		}
		return nil
	}
	c := SpectatorConfig{GameID: "sum", MaxOrders: 300, Random: func() uint64 { return 4 }, Hosts: []netip.AddrPort{addrOf(0)}}
	s, err := NewSpectator(game, c, SpectatorHooks[sum, uint16]{})
	if err != nil {
		t.Fatal(err)
	}
	if n := s.shown.engine.Players(); n != 3 {
		t.Errorf("its engine is for %d", n)
	}
	c.Players = 2
	if _, err = NewSpectator(game, c, SpectatorHooks[sum, uint16]{}); !errors.Is(err, few) || !errors.Is(err, rollback.ErrPlayers) {
		t.Errorf("error %v", err)
	}
	game.Players = func(int) error { return few }
	c.Players = 0
	if _, err = NewSpectator(game, c, SpectatorHooks[sum, uint16]{}); !errors.Is(err, few) {
		t.Errorf("a game that nobody can play: %v", err)
	}
}
