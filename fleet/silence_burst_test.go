package fleet

import (
	"testing"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// A burst excuses a silence before a match, for players whose link to a machine has bursts
// that last that long, and no other silence.
func TestBurstsExcuseSilencesBeforeAMatch(t *testing.T) {
	p := calmPlan(3, 60)
	long := netem.Burst{Begin: 1 * netem.Percent, End: 10 * netem.Percent, Loss: 90 * netem.Percent}
	brief := netem.Burst{Begin: 1 * netem.Percent, End: 90 * netem.Percent, Loss: 90 * netem.Percent}
	p.Links = []Way{{From: 2, To: 0, Link: netem.Link{Burst: long}}, {From: 2, To: 1, Link: netem.Link{Burst: brief}}}
	r := newReferee(&p)
	for _, c := range []struct {
		machine int
		players rollback.PlayerSet
		phase   session.Phase
		want    bool
	}{
		{0, 0b100, session.Connecting, true},
		{0, 0b100, session.Lobby, true},
		{0, 0b110, session.Lobby, true},
		{0, 0b010, session.Lobby, false},
		{1, 0b100, session.Lobby, false},
		{2, 0b001, session.Lobby, false},
		{0, 0b100, session.Starting, false},
		{0, 0b100, session.Playing, false},
		{0, 0b100, session.Ending, false},
		{0, 0b100, session.Over, false},
	} {
		r.machines[c.machine].phase = c.phase
		if got := r.stretched(c.machine, c.players); got != c.want {
			t.Errorf("players %v at machine %d, %v: %v", c.players, c.machine, c.phase, got)
		}
	}
}

// How many datagrams a burst may swallow is derived from how long it lasts and what it
// loses. The chances beside the cases are computed by hand.
func TestBurstsTakeWhatIsLikely(t *testing.T) {
	burst := func(end, loss netem.PPM) netem.Burst {
		return netem.Burst{Begin: 1, End: end * netem.Percent, Loss: loss * netem.Percent}
	}
	for _, c := range []struct {
		link netem.Link
		most int // datagrams that may be lost in a row
	}{
		{netem.Link{Loss: 99 * netem.Percent}, -1},                                     // no burst
		{netem.Link{Burst: burst(50, 100)}, 29},                                        // 0.5^30 = 0.93e-9
		{netem.Link{Burst: burst(10, 100)}, 196},                                       // 0.9^197 = 0.97e-9
		{netem.Link{Burst: burst(10, 30)}, 15},                                         // 0.27^16 = 0.80e-9
		{netem.Link{Burst: burst(50, 50), Loss: 20 * netem.Percent}, 17},               // 0.3^18 = 0.39e-9, 0.3^17 = 1.29e-9
		{netem.Link{Burst: burst(100, 100)}, 0},                                        // it ends at once
		{netem.Link{Burst: netem.Burst{Begin: 1, Loss: 100 * netem.Percent}}, 1 << 10}, // it never ends
	} {
		if c.most >= 0 && !swallows(c.link, c.most) {
			t.Errorf("%+v cannot take %d", c.link, c.most)
		}
		if c.most < 1<<10 && swallows(c.link, max(c.most, 0)+1) {
			t.Errorf("%+v takes %d", c.link, c.most+1)
		}
	}
}
