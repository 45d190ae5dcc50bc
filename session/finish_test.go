package session

import (
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// A match that the game finishes has no frame after the last one, for any observer, however
// many inputs of later frames there are; and all know the result.
func TestNothingIsAgreedBehindTheLastFrame(t *testing.T) {
	good := sumGame()
	game := rollback.Game[sum, uint16]{Step: func(s *sum, tick *rollback.Tick[uint16]) {
		if good.Step(s, tick); s.Frame == 61 {
			tick.Finish(s.Total | 1)
		}
	}}
	for _, c := range []struct{ delay, loss, way int }{{0, 0, 5}, {6, 0, 5}, {6, 30, 40}, {15, 20, 100}} {
		m := newMesh(t, 0, 0, func(i int, cfg *Config) {
			cfg.Delay[i], cfg.DropAfter = c.delay, 5*time.Second
		})
		m.game, m.loss, m.way = game, c.loss, time.Duration(c.way)*time.Millisecond
		var reels []*Reel
		for i := range 2 {
			reels = append(reels, m.record(m.add(addrOf(i), i, Config{Players: 2, Peers: []Peer{{PlayerSet(1) << (1 - i), addrOf(1 - i)}}})))
		}
		m.theEnd(30 * time.Second)
		for i, n := range m.nodes {
			o, over := n.Outcome()
			first, _ := m.nodes[0].Outcome()
			if !over || !o.Finished || o.Frames != 61 || o.Result != first.Result || o.Result&1 == 0 || len(n.agreed) != 61 {
				t.Errorf("%+v: peer %d has %d frames: %+v", c, i, len(n.agreed), o)
			}
			if r := reels[i]; len(r.Frames) != 61 || !r.Frames[60].Finished || r.Done == nil || r.Done.Outcome.Result != o.Result {
				t.Errorf("%+v: peer %d records %d frames", c, i, len(r.Frames))
			}
		}
	}
}
