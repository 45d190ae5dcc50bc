package served_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/served"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: a client whose path was interrupted for more ticks than inputs are held plays on, in time: what it
// did in between is lost, and its inputs count again. They are not taken for a violation of the protocol,
// nor read as other inputs. That holds for either direction, and if it happens again.
func TestAClientPlaysOnAfterMoreInputsAreLostThanAreHeld(t *testing.T) {
	const drop = 45 * time.Second
	for _, way := range []struct {
		name     string
		from, to int
	}{{"up", 1, 0}, {"down", 0, 1}} {
		t.Run(way.name, func(t *testing.T) {
			h := newHouse(t, 1, 1, netem.Link{Delay: 30 * ms, Jitter: 5 * ms, Distribution: netem.Uniform, Reorder: true}, nil, func(c *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) {
				c.DropAfter = drop
			})
			h.tune = func(c *served.ClientConfig) { c.DropAfter = drop }
			g := h.join(1)
			h.run(3 * time.Second)
			p, _ := g.Player()
			for range 2 {
				h.net.Cut(way.from, way.to, true)
				h.run((datagram.HistoryFrames + 200) * time.Second / tanks.TicksPerSecond)
				h.net.Cut(way.from, way.to, false)
				h.run(5 * time.Second)
				before, _ := h.server.Client(p)
				h.run(5 * time.Second)
				after, _ := h.server.Client(p)
				if came := after.Inputs - before.Inputs; g.Phase() != session.Playing || came < 98 || after.Replaced-before.Replaced > 1 {
					t.Fatalf("%v, %v: in 5 s %d inputs come, and %d do not: %v", g.Phase(), g.Err(), came, after.Replaced-before.Replaced, h.events)
				}
			}
		})
	}
}
