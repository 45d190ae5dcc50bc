package served_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/served"
)

// corner is a configuration of a server and its client with fields that are multiplied with each other somewhere,
// at the minimum or maximum.
type corner struct {
	name   string
	rate   int
	drop   time.Duration // of both
	server func(c *served.ServerConfig)
	client func(c *served.ClientConfig)
	blind  bool // inputs cannot come in time
}

const longest, fewest = "the longest silence", "the fewest states"

func corners() (list []corner) {
	for _, rate := range []int{1, 20, 240, session.MaxTickRate} {
		drop := max(5*time.Second, 20*time.Second/time.Duration(rate))
		for _, c := range []corner{
			{name: longest, drop: min(time.Minute, 30_000*time.Second/time.Duration(rate))},
			{name: fewest, server: func(c *served.ServerConfig) { c.States = (rate + 59) / 60 }},
			{name: "no hashes", server: func(c *served.ServerConfig) { c.HashEvery = -1 }},
			{name: "a hash now and then", server: func(c *served.ServerConfig) { c.HashEvery = 1000 }},
			{name: "four datagrams in a tick", client: func(c *served.ClientConfig) { c.PerTick = 4 }},
			{name: "one datagram in a tick", client: func(c *served.ClientConfig) { c.PerTick = 1 }},
			{name: "a tick ahead", client: func(c *served.ClientConfig) { c.MaxAhead = 1 }, blind: true},
			{name: "as far ahead as can be", client: func(c *served.ClientConfig) { c.MaxAhead = rollback.MaxWindow }},
			{name: "shown at once", client: func(c *served.ClientConfig) { c.Behind = 1 }},
			{name: "shown a second later", client: func(c *served.ClientConfig) { c.Behind = time.Second }},
		} {
			c.rate = rate
			if c.drop == 0 {
				c.drop = drop
			}
			list = append(list, c)
		}
	}
	return list
}

// Rule: in each corner of the configurations of a server and a client, a match is played, and after nearly
// DropAfter in which one side, or neither, hears the other, the client's inputs come in time again.
func TestAClientPlaysInEachCorner(t *testing.T) {
	for _, c := range corners() {
		for name, cut := range map[string][2]bool{"up": {true, false}, "down": {false, true}, "both": {true, true}} {
			if name != "both" && c.name != longest || testing.Short() && c.rate != 20 && c.name != fewest || testing.Short() && c.rate > 240 {
				continue
			}
			playCorner(t, &c, name, cut)
		}
	}
}

func playCorner(t *testing.T, c *corner, name string, cut [2]bool) {
	t.Helper()
	game := tanks.Game(1)
	game.Init = func(s *tanks.State) { *s = tanks.New(1).Endless() }
	h := newHouseOf(t, game, 1, 1, netem.Link{Delay: 10 * ms}, nil, func(s *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) {
		s.TickRate, s.DropAfter = c.rate, c.drop
		if c.server != nil {
			c.server(s)
		}
	})
	h.tune = func(s *served.ClientConfig) {
		s.TickRate, s.DropAfter = c.rate, c.drop
		if c.client != nil {
			c.client(s)
		}
	}
	some := max(time.Second, 8*time.Second/time.Duration(c.rate))
	g := h.join(1)
	h.run(2 * some)
	p, ok := g.Player()
	if !ok || g.Phase() != session.Playing {
		t.Errorf("%d Hz, %s: %v, %v", c.rate, c.name, g.Phase(), g.Err())
		return
	}
	h.net.Cut(1, 0, cut[0])
	h.net.Cut(0, 1, cut[1])
	h.run(c.drop - max(c.drop/10, 3*time.Second/time.Duration(c.rate)))
	h.net.Cut(1, 0, false)
	h.net.Cut(0, 1, false)
	h.run(3 * some)
	before, _ := h.server.Client(p)
	known := g.Known()
	h.run(2 * some)
	after, plays := h.server.Client(p)
	due := uint64(2 * some / (time.Second / time.Duration(c.rate)))
	came := after.Inputs - before.Inputs
	if g.Phase() != session.Playing || !plays || g.Known() <= known || came < due*8/10 && !c.blind {
		t.Errorf("%d Hz, %s, %s: %v, %v: %d inputs of %d came in time, and state %d follows %d: %v", c.rate, c.name, name, g.Phase(), g.Err(), came, due, g.Known(), known, h.events)
	}
}
