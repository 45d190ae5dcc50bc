package served_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session/served"
)

// Rule: a client whose path suddenly becomes much longer, or that has slept for so long that its time differs from
// its server's, skips ticks, so that it is soon in time again.
func TestAClientIsSoonInTimeAgain(t *testing.T) {
	for _, c := range []struct {
		name   string
		happen func(h *house)
		within time.Duration
	}{
		{"its way has grown", func(h *house) {
			if err := h.net.SetLink(1, 0, netem.Link{Delay: 600 * ms}); err != nil {
				t.Fatal(err)
			}
		}, 2 * time.Second},
		{"it has slept", func(h *house) {
			h.wake[1] = h.now + 9*time.Second
			h.run(9 * time.Second)
		}, 500 * ms},
	} {
		h := newHouse(t, 1, 1, netem.Link{Delay: 100 * ms}, nil, func(c *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) {
			c.DropAfter = 20 * time.Second
		})
		g := h.join(1)
		h.run(5 * time.Second)
		c.happen(h)
		h.run(c.within)
		before, _ := h.server.Client(0)
		h.run(2 * time.Second)
		after, _ := h.server.Client(0)
		if n := after.Replaced - before.Replaced; n > 0 || after.Inputs-before.Inputs < 39 || g.Counts().Skipped < 8 {
			t.Errorf("%s: %v later %d inputs are missing, after %d; %+v", c.name, c.within, n, before.Replaced, g.Counts())
		}
	}
}

// Rule: a client whose path has been much shorter for all of the 400 inputs on which it bases its lead waits, instead
// of going slower for long: within seconds it is hardly further ahead than its path takes.
func TestAClientIsNoMoreAhead(t *testing.T) {
	h := newHouse(t, 1, 1, netem.Link{Delay: 100 * ms}, nil, nil)
	if err := h.net.SetLink(1, 0, netem.Link{Delay: 700 * ms}); err != nil {
		t.Fatal(err)
	}
	g := h.join(1)
	h.run(10 * time.Second)
	if err := h.net.SetLink(1, 0, netem.Link{Delay: 100 * ms}); err != nil {
		t.Fatal(err)
	}
	h.run(22 * time.Second)
	from := h.server.Frame()
	h.run(time.Second)
	if lead := h.lead(g, from, h.server.Frame()); lead < 100*ms || lead > 300*ms {
		t.Errorf("it is %v ahead", lead)
	}
}
