package fleet

import (
	"time"

	"github.com/tickback/tickback/session"
)

// progressChecker checks that matches make progress while nothing goes wrong. A machine that starts, plays or ends
// moves within some seconds and round trips after the last trouble. One that connects is connected, or gives up, within
// the time-out. One that plays may first have to notice that others are gone; without a majority it waits for
// QuorumTimeout.
type progressChecker struct{ noCheck }

func (progressChecker) name() string { return "progress" }

func (c progressChecker) look(r *referee) {
	connecting := r.connecting()
	for i, m := range r.machines {
		if m.dead || m.fresh || m.phase == session.Playing && r.plan.continues() {
			continue // a machine that joins may wait, and so may sides of a match
		}
		within := r.within + connecting
		switch m.phase {
		case session.Connecting:
			within += r.plan.Machines[i].Late
		case session.Starting, session.Playing, session.Ending:
			if r.now >= r.mayLose {
				within += r.plan.DropAfter // not all machines may know yet which others are lost
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

// connecting returns how long others may wait for a machine that is still connecting: until its own time-out.
func (r *referee) connecting() time.Duration {
	for _, m := range r.machines {
		if !m.dead && !m.fresh && m.phase == session.Connecting {
			return session.DefaultConnectTimeout
		}
	}
	return 0
}
