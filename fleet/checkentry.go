package fleet

import (
	"errors"
	"time"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

// entryChecker checks that a machine that tries to join a running match, and is not prevented from it, is admitted
// within some seconds, and does not give up before.
type entryChecker struct{ noCheck }

func (entryChecker) name() string { return "entry" }

func (c entryChecker) event(r *referee, machine int, e *session.Event) {
	m := r.machines[machine]
	var hosts *spectate.HostsError
	var late *session.TimeoutError
	if e.What != session.Closed || !m.fresh || !errors.As(m.Err(), &hosts) && !errors.As(m.Err(), &late) {
		return
	}
	// A clock may be a tenth too fast.
	if waited := r.now - m.barred; waited > session.DefaultConnectTimeout*8/10 {
		r.violate(c, machine, "for %v nothing kept it out of match %d, and it gives up: %v", waited.Round(time.Millisecond), m.match, m.Err())
	}
}

func (c entryChecker) look(r *referee) {
	if !r.plan.continues() {
		return
	}
	for i, m := range r.machines {
		switch waited := r.now - m.barred; {
		case !m.fresh || m.dead || m.over || !c.open(r, i, r.calm):
			m.barred = r.now
		case waited > c.within(r):
			r.violate(c, i, "for %v nothing has kept it out of match %d, and it is still %v, at frame %d", waited.Round(time.Millisecond), m.match, m.stats.Phase, m.stats.Frame)
			m.barred = r.now
		}
	}
}

// open reports whether nothing keeps a machine out of the match: all other present machines play it, hear each other
// and make progress; its token is valid; and orders are short enough to be sent to it in time. calm is the time since
// which nothing has gone wrong.
func (entryChecker) open(r *referee, machine int, calm time.Duration) bool {
	if r.now <= max(calm, r.plan.Machines[machine].Late) || r.parted() || r.plan.MaxOrders > 128 {
		return false
	}
	for _, f := range r.plan.Faults {
		if f.Kind == Kick && (f.Match > 0 || f.At <= r.now) || f.Kind == Move && f.Machine == machine {
			return false
		}
	}
	hosts := 0
	for i, m := range r.machines {
		if m.dead || m.over || m.fresh {
			continue
		}
		_, clear := r.hearing.side(i)
		if _, paused := m.Paused(); paused || !clear || m.frozen || m.stats.Phase != session.Playing || r.now-m.moved > time.Second {
			return false
		}
		hosts += btoi(!r.moved(i))
	}
	return hosts > 0
}

// within returns how long joining may take: hosts that are gone may be tried first, the others may not have noticed yet
// who is gone, and the newcomer has to wait for a comparison.
func (entryChecker) within(r *referee) time.Duration {
	gone := 0
	for _, m := range r.machines {
		gone += btoi(m.dead || m.over || m.fresh)
	}
	return r.noticed() + r.within + time.Duration(gone)*(r.plan.DropAfter+time.Second) +
		2*time.Duration(r.plan.ChainEvery)*time.Second/time.Duration(r.plan.TickRate)
}
