package session

import (
	"testing"
	"time"
)

// Rule: an interruption shorter than DropAfter loses nothing, at every tick rate, however many
// datagrams have been sent during it: their numbers have wrapped around several times.
func TestNoNumberIsLostInALongSilence(t *testing.T) {
	for _, c := range []struct {
		rate    int
		silence time.Duration
	}{
		{60, 110 * time.Second},
		{1000, 34 * time.Second},
		{1000, 68 * time.Second},
		{1000, MaxDropAfter - 5*time.Second},
	} {
		if testing.Short() && c.silence > 40*time.Second {
			continue
		}
		tr := newTrio(t, 2, func(c2 *Config) { c2.TickRate, c2.DropAfter, c2.Match.Frames = c.rate, MaxDropAfter, 1<<20 })
		tr.step = time.Second / time.Duration(c.rate)
		tr.run(2 * time.Second)
		before := tr.peers[0].sim.Agreed()
		tr.deaf = true
		tr.run(c.silence)
		tr.deaf = false
		tr.run(2 * time.Second)
		for i, p := range tr.peers {
			if got := p.sim.Agreed(); p.Phase() != Playing || got < before+Frame(c.rate) {
				t.Errorf("%d Hz, silence of %v, peer %d: %v, %v, %d frames agreed after %d", c.rate, c.silence, i, p.Phase(), p.Err(), got, before)
			}
		}
	}
}
