package classic_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/tickback/tickback/classic"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

// A configuration that cannot work is refused, with an error that names it.
func TestConfigIsChecked(t *testing.T) {
	for _, c := range []struct {
		change func(*config)
		want   string
	}{
		{func(c *config) { c.Game = nil }, "Game is required"},
		{func(c *config) { c.Buttons = nil }, "Buttons is required"},
		{func(c *config) { c.Input = nil }, "Input is required"},
		{func(c *config) { c.Checksum = nil }, "Checksum is required"},
		{func(c *config) { c.Sample = nil }, "Sample is required"},
		{func(c *config) { c.Host, c.Peer = false, netip.AddrPort{} }, "a joiner needs the address of its Peer"},
		{func(c *config) { c.TickRate = -1 }, "TickRate is -1"},
		{func(c *config) { c.TickRate = 1001 }, "TickRate is 1001"},
		{func(c *config) { c.Delay = 32 }, "Delay is 32, not 0 to 31"},
		{func(c *config) { c.Delay = -1 }, "Delay is -1"},
		{func(c *config) { c.Window = 121 }, "Window is 121, more than 120"},
		{func(c *config) { c.Frames = rollback.NoFrame }, "Frames is 4294967295"},
		{func(c *config) { c.Input = func(b uint16) duel.Input { return 1 } }, "Input does not give back the zero input"},
		{func(c *config) { c.Game = rollback.Game[duel.State, duel.Input]{} }, "Step"},
	} {
		cfg := duelConfig(t, true, 0, newPlayer(1))
		c.change(&cfg)
		if _, err := classic.New(cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// The largest values that a configuration may have work.
func TestTheLargestConfigWorks(t *testing.T) {
	cfg := duelConfig(t, true, 0, newPlayer(1))
	cfg.TickRate, cfg.Delay, cfg.Window = 1000, classic.MaxDelay, rollback.MaxWindow
	if _, err := classic.New(cfg); err != nil {
		t.Error(err)
	}
}
