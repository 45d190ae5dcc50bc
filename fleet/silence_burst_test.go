package fleet

import (
	"testing"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// A burst excuses a silence before a match, of those whose way to a machine has bursts, and
// no other silence.
func TestBurstsExcuseSilencesBeforeAMatch(t *testing.T) {
	p := calmPlan(3, 60)
	p.Links = []Way{{From: 2, To: 0, Link: netem.Link{Burst: netem.Burst{Begin: 1, End: 2, Loss: 3}}}}
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
