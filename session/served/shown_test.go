package served_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/served"
)

// Rule: the others are shown between the two newest known states around the moment, however far apart these
// are: with one state per second, and with two per second of which one is lost.
func TestRareStatesAreShown(t *testing.T) {
	const second = tanks.TicksPerSecond
	for _, states := range []int{1, 2} {
		h := newHouse(t, 1, 2, netem.Link{Delay: 20 * ms}, tanks.Sight, func(c *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) {
			c.States = states
		})
		h.tune = func(c *served.ClientConfig) { c.Behind = 800 * ms }
		h.join(1)
		g := h.join(2)
		h.run(5 * time.Second)
		known := g.Known()
		next := func(ticks rollback.Frame) {
			for g.Known() < known+ticks {
				h.run(ms)
			}
		}
		if next(second / rollback.Frame(states)); states == 2 {
			known = g.Known()
			h.net.Cut(0, 2, true)
			for h.server.Frame() <= known+second/2 {
				h.run(ms)
			}
			h.net.Cut(0, 2, false)
			next(second)
		}
		was := 0.0
		for range 9 {
			h.run(50 * ms)
			s, ok := g.Shown(h.now)
			if !ok || s.After.Frame-s.Before.Frame != second || s.Period != time.Second {
				t.Fatalf("%d states a second: %v, from tick %d to %d, %v of %v", states, ok, s.Before.Frame, s.After.Frame, s.Passed, s.Period)
			}
			if at := shownAt(s); at <= was || rollback.Frame(at) >= g.Known() {
				t.Errorf("%d states a second: tick %v follows on %v, and %d is known", states, at, was, g.Known())
			} else {
				was = at
			}
		}
	}
}

// Rule: from the first picture on, the others are shown between known states, and never at a time before.
func TestWhatIsShownAtFirst(t *testing.T) {
	both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
		h := newHouse(t, 1, 1, netem.Link{Delay: 20 * ms}, look, nil)
		h.tune = func(c *served.ClientConfig) { c.Behind = time.Second }
		g := h.join(1)
		if _, ok := g.Shown(h.now); ok {
			t.Error("there is something to show before there is a match")
		}
		pictures := 0
		for range 200 {
			h.run(10 * ms)
			s, ok := g.Shown(h.now)
			if !ok {
				continue
			}
			pictures++
			if s.Passed < 0 || s.Passed > s.Period || s.Before.Frame+uint32(s.Period/tanks.Tick) != s.After.Frame || rollback.Frame(s.After.Frame) > g.Known() {
				t.Fatalf("%v of %v, from tick %d to %d, of %d", s.Passed, s.Period, s.Before.Frame, s.After.Frame, g.Known())
			}
			if back := int(g.Frame()) - int(s.After.Frame); s.Seen < back || s.Seen > back+1 {
				t.Fatalf("the moment is %d ticks back, at tick %d in tick %d", s.Seen, s.After.Frame, g.Frame())
			}
		}
		if pictures < 180 {
			t.Errorf("%d pictures of 200", pictures)
		}
	})
}
