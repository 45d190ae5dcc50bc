package fleet

import (
	"time"

	"github.com/tickback/tickback/session"
)

// progressChecker: while nothing goes wrong, play goes on: of a machine that starts,
// plays or ends, something moves within some seconds and round trips after the last
// trouble. Who connects is connected, or gives up, within the time-out. A machine that plays
// may first have to notice that others are gone, and one that is no majority without them
// waits for QuorumTimeout.
type progressChecker struct{ indifferent }

func (progressChecker) name() string { return "progress" }

func (c progressChecker) look(r *referee) {
	connecting := r.connecting()
	for i, m := range r.machines {
		if m.dead || m.fresh || m.phase == session.Playing && r.plan.continues() {
			continue // who joins may wait, and sides of a match may
		}
		within := r.within + connecting
		switch m.phase {
		case session.Connecting:
			within += r.plan.Machines[i].Late
		case session.Starting, session.Playing, session.Ending:
			if r.now >= r.mayLose {
				within += r.plan.DropAfter // who has lost whom may not be known to all yet
			}
			if _, paused := m.Paused(); paused && m.phase == session.Playing {
				within += r.plan.maxPause()
			}
			if m.phase == session.Playing && m.frozen {
				within = max(within, r.noticed()+r.plan.quorumTimeout()*12/10)
			}
		default:
			continue
		}
		if waited := r.now - max(m.moved, r.calm); waited > within && m.stats.Frame == m.frame && m.stats.Phase == m.phase && m.stats.Agreed == m.told {
			r.violate(c, i, "%v in match %d, nothing has moved for %v: frame %d, confirmed %d, agreed %d, error %v",
				m.phase, m.match, waited.Round(time.Millisecond), m.stats.Frame, m.stats.Confirmed, m.stats.Agreed, m.Err())
			m.moved = r.now
		}
	}
}

// connecting is for how long others may wait for a machine that still connects: as long as
// that waits.
func (r *referee) connecting() time.Duration {
	for _, m := range r.machines {
		if !m.dead && !m.fresh && m.phase == session.Connecting {
			return session.DefaultConnectTimeout
		}
	}
	return 0
}
