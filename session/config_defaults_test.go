package session

import (
	"errors"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// Unset fields get the defaults that their documentation names.
func TestDefaultsOfAConfiguration(t *testing.T) {
	c := twoPeers()
	given := slices.Clone(c.Peers)
	if err := c.complete(); err != nil {
		t.Fatal(err)
	}
	type values struct {
		Local                                      PlayerSet
		TickRate, Window, ChainEvery               int
		Evidence, Most                             int
		Connect, Ready, Warn, Drop, Linger, Quorum time.Duration
		Pause                                      time.Duration
	}
	got := values{
		c.Local, c.TickRate, c.Window, c.ChainEvery, c.Evidence, c.AutoDelay.Max,
		c.ConnectTimeout, c.ReadyTimeout, c.WarnAfter, c.DropAfter, c.Linger, c.QuorumTimeout, c.MaxPause,
	}
	want := values{
		0b01, 60, 8, 60, 4 << 20, 8,
		15 * time.Second, 30 * time.Second, time.Second, 5 * time.Second, 2 * time.Second, 10 * time.Second, time.Minute,
	}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	c.Peers[0].Players = 0b10000
	if c.Peers[0] == given[0] {
		t.Error("the peers are the caller's")
	}
	for _, other := range []struct {
		change func(c *Config)
		window int
		warn   time.Duration
	}{
		{func(c *Config) { c.Lockstep = true }, 0, time.Second},
		{func(c *Config) { c.Players, c.Peers = 1, nil }, 0, time.Second}, // nobody to predict
		{func(c *Config) { // somebody may come
			c.Peers, c.Reserved, c.OnLeave, c.Token = nil, 0b10, Continue, meshToken
		}, 8, time.Second},
		{func(c *Config) { c.DropAfter = 1500 * time.Millisecond }, 8, 750 * time.Millisecond},
		{func(c *Config) { c.Window, c.WarnAfter = 3, 20*time.Millisecond }, 3, 20 * time.Millisecond},
	} {
		c := twoPeers()
		if other.change(&c); c.complete() != nil || c.Window != other.window || c.WarnAfter != other.warn {
			t.Errorf("window %d and WarnAfter %v, want %d and %v", c.Window, c.WarnAfter, other.window, other.warn)
		}
	}
}

// A history reaches from the current frame to the newest input that a peer can have sent: the
// window, and the delays of both, whose inputs come early. It is no longer than necessary.
func TestAHistoryIsLongEnough(t *testing.T) {
	for window := range rollback.MaxWindow + 1 {
		for _, given := range []int{0, rollback.MinHistory, rollback.MaxHistory} {
			c := twoPeers()
			c.Window, c.Lockstep, c.History = window, window == 0, given
			if err := c.complete(); err != nil {
				t.Fatal(err)
			}
			h, least := c.history(), max(given, rollback.MinHistory)
			if given == 0 {
				least = rollback.DefaultHistory
			}
			farthest := Frame(window + 2*rollback.MaxDelay + 2)
			if h < least || h&(h-1) != 0 || c.ahead() <= farthest || c.ahead() != Frame(3*h/4) {
				t.Errorf("window %d: %d frames, and %d early", window, h, c.ahead())
			}
			if h > least && Frame(3*(h/2)/4) > farthest {
				t.Errorf("window %d: %d frames, half of them would do", window, h)
			}
			if e := c.engine(); e.History != h || e.Window != window || window > 0 && e.Snapshots != window+2 {
				t.Errorf("window %d: the engine has %d frames and %d snapshots", window, e.History, e.Snapshots)
			}
		}
	}
	alone := Config{Players: 1, History: rollback.MinHistory}
	if h := alone.history(); h != rollback.MinHistory {
		t.Errorf("without peers there are %d frames", h)
	}
}

// Rule: a default that is a time is equally long at every tick rate, as far as whole frames allow.
func TestDefaultsScaleWithTheTickRate(t *testing.T) {
	type values struct{ Window, MostDelay, ChainEvery, Tolerance, Jitter int }
	for rate, want := range map[int]values{
		1:    {4, 8, 1, 4, 2},
		20:   {4, 8, 20, 4, 4},
		30:   {4, 8, 30, 4, 6},
		50:   {7, 8, 50, 4, 10},
		60:   {8, 8, 60, 4, 12},
		120:  {16, 16, 120, 8, 24},
		144:  {20, 20, 144, 10, 29},
		240:  {32, 32, 240, 16, 48},
		1000: {120, 60, 1000, 67, 200},
	} {
		c := twoPeers()
		c.TickRate = rate
		s := SpectatorConfig{Hosts: []netip.AddrPort{addrOf(1)}, TickRate: rate, Random: func() uint64 { return 1 }}
		if err := errors.Join(c.complete(), s.complete()); err != nil {
			t.Fatal(err)
		}
		if got := (values{c.Window, c.AutoDelay.Max, c.ChainEvery, c.EffectTolerance, s.JitterBuffer}); got != want || s.EffectTolerance != want.Tolerance {
			t.Errorf("at %d Hz: %+v, want %+v", rate, got, want)
		}
	}
	c := twoPeers()
	if c.HashEvery = 7; c.complete() != nil || c.ChainEvery != 63 {
		t.Errorf("with hashes of every 7th state they are compared every %d frames", c.ChainEvery)
	}
}
