package served_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
)

// Rule: a client knows from the first answer of its server how long its way takes.
func TestTheWayIsKnownFromTheFirstAnswer(t *testing.T) {
	h := newHouse(t, 1, 1, netem.Link{Delay: 100 * ms}, nil, nil)
	g := h.join(1)
	for g.Stats(nil).Links[0].Limit == 0 && h.now < time.Second {
		h.run(ms)
	}
	if l := g.Stats(nil).Links[0]; l.Connected || l.RoundTrip < 200*ms || l.RoundTrip > 202*ms {
		t.Errorf("%+v", l)
	}
}
