package served_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/served"
)

// Rule: at every tick rate others are shown Behind before the newest state that has arrived with its usual delay,
// even if that is more ticks than a client holds as baselines: with full and with partial sight, and if few states
// are sent.
func TestWhatIsShownIsBehindAtEveryTickRate(t *testing.T) {
	for _, rate := range []int{20, 180, 240, 500, 1000} {
		for _, behind := range []time.Duration{100 * ms, time.Second} {
			for _, seldom := range []bool{false, true} {
				if testing.Short() && rate == 500 {
					continue
				}
				both(t, func(t *testing.T, look func(*tanks.State, rollback.Player) rollback.PlayerSet) {
					game := tanks.Game(1)
					game.Init = func(s *tanks.State) { *s = tanks.New(1).Endless() }
					h := newHouseOf(t, game, 1, 1, netem.Link{Delay: 20 * ms}, look, func(s *served.ServerConfig, _ *served.ServerHooks[tanks.State, tanks.Input]) {
						if s.TickRate = rate; seldom {
							s.States = max((rate+59)/60, 10)
						}
					})
					h.tune = func(s *served.ClientConfig) { s.TickRate, s.Behind = rate, behind }
					g := h.join(1)
					h.run(4 * time.Second)
					period := time.Second / time.Duration(rate)
					for range 40 {
						h.run(7 * ms)
						s, ok := g.Shown(h.now)
						if !ok {
							t.Fatal("nothing is shown")
						}
						// The server is at tick now/period, and its datagrams take 20 ms.
						at := time.Duration(s.Before.Frame)*period + s.Passed
						late := time.Duration(h.server.Frame())*period - at
						if late < behind+20*ms-period-3*ms || late > behind+20*ms+3*period+20*ms {
							t.Fatalf("%d Hz, Behind %v, seldom %v: what is shown is %v old, of tick %d to %d", rate, behind, seldom, late, s.Before.Frame, s.After.Frame)
						}
					}
				})
			}
		}
	}
}
