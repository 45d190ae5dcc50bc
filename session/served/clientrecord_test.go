package served_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/served"
	"github.com/tickback/tickback/session/stream"
)

// Rule: a client's recording, from before it plays or from the middle, leads to the states of its server, and to
// the last one: then the recording is complete, before the server is gone.
func TestAClientIsRecorded(t *testing.T) {
	for _, from := range []time.Duration{0, 1500 * ms} {
		h := newHall(t, func(c *served.ServerConfig, _ *served.ServerHooks[small, uint8]) { c.Match.Frames = 150 })
		c := h.client(1, func(f rollback.Frame) (uint8, []byte) { return uint8(f), []byte{byte(f)} })
		for range 3 { // before the first tick, so that state 1 is the first one that it gets
			c.Update(0)
			for _, b := range c.Outgoing() {
				h.server.Receive(0, addr(1), bytes.Clone(b))
			}
			for _, b := range h.server.Outgoing() {
				c.Receive(0, addr(0), b)
			}
		}
		h.run(from)
		run, err := rollback.NewStepper(smallGame(), 4, 8)
		if err != nil {
			t.Fatal(err)
		}
		n := &notes{t: t, run: run}
		if err := c.Record(n, stream.Wants{Hashes: 1}); err != nil {
			t.Fatal(err)
		}
		if err := c.Record(n, stream.Wants{}); err != session.ErrRecording {
			t.Errorf("a second recording: %v", err)
		}
		h.run(3200*ms - from)
		if b := n.begun; b == nil || b.Match != 1 || b.Shape.Players != 4 || b.Shape.MaxOrders != 8 || from == 0 && b.First != 1 || from > 0 && b.First < 60 {
			t.Errorf("it begins with %+v", n.begun)
		}
		if n.end == nil || !n.end.Ended || n.end.Outcome.Frames != 150 || run.Frame() != 150 || *run.State() != *h.server.Final() {
			t.Errorf("recorded up to %d: %+v", run.Frame(), n.end)
		}
		if c.Phase() != session.Ending {
			t.Errorf("the client is %v", c.Phase())
		}
	}
	partial := newHouse(t, 1, 1, netem.Link{}, tanks.Sight, nil).join(1)
	if err := partial.Record(nil, stream.Wants{}); err != served.ErrPartial {
		t.Errorf("with partial sight: %v", err)
	}
}
