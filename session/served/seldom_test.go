package served

import (
	"bytes"
	"testing"
	"time"
)

// Rule: at every tick rate a client that is fast enough has an input in time for each tick, however few pictures
// its owner shows.
func TestAClientThatShowsFewPicturesPlaysEachTick(t *testing.T) {
	for _, rate := range []int{20, 60, 240, 1000} {
		for _, every := range []time.Duration{7 * time.Millisecond, time.Second / 60, time.Second / 30, time.Second / 20} {
			f := newFixture(t)
			about := countAbout
			about.TickRate = rate
			server, err := NewServer(countGame(), ServerConfig{Game: about, Random: f.server.cfg.Random}, ServerHooks[count, uint16]{})
			if err != nil {
				t.Fatal(err)
			}
			c := newClient(t, countGame(), f.server.cfg.Random, func(c *ClientConfig) { c.Game = about })
			run := func(d time.Duration) {
				var next time.Duration
				for until := f.now + d; f.now < until; f.now += time.Millisecond {
					updateAll(server, f.now)
					for _, b := range server.Outgoing() {
						c.Receive(f.now, serverAddr, b)
					}
					if f.now < next {
						continue
					}
					next = f.now + every
					updateAll(c, f.now)
					for _, b := range c.Outgoing() {
						server.Receive(f.now, honestAddr, bytes.Clone(b))
					}
				}
			}
			run(5 * time.Second)
			before, _ := server.Client(0)
			run(5 * time.Second)
			after, plays := server.Client(0)
			if got := int(after.Inputs - before.Inputs); !plays || got < 5*rate*98/100 {
				t.Errorf("%d Hz, a call every %v: %d ticks of %d had an input in time", rate, every, got, 5*rate)
			}
		}
	}
}
