package served_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
)

// Rule: a client knows the round trip from the first answer of its server.
func TestTheWayIsKnownFromTheFirstAnswer(t *testing.T) {
	for _, way := range []time.Duration{2 * ms, 100 * ms} { // until then it has asked once, or many times
		h := newHouse(t, 1, 1, netem.Link{Delay: way}, nil, nil)
		g := h.join(1)
		for g.Stats(nil).Links[0].Limit == 0 && h.now < time.Second {
			h.run(ms)
		}
		if l := g.Stats(nil).Links[0]; l.Connected || l.RoundTrip < 2*way || l.RoundTrip > 2*way+2*ms {
			t.Errorf("%+v", l)
		}
	}
}
