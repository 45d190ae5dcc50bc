package fleet

import "github.com/tickback/tickback/session"

// agreementChecker checks the agreed stream of a machine: every frame comes once and in order, even while the match is
// paused; the agreed count never decreases; and an outcome never changes and has as many frames as were agreed.
type agreementChecker struct{ noCheck }

func (agreementChecker) name() string { return "agreement" }

func (c agreementChecker) agreed(r *referee, a *agreement) {
	if want := r.machines[a.machine].next; a.frame != want {
		r.violate(c, a.machine, "match %d: frame %d was agreed, the next is %d", a.match, a.frame, want)
	}
}

func (c agreementChecker) event(r *referee, machine int, e *session.Event) {
	if e.What != session.Ended {
		return
	}
	// A rematch may have begun at the same moment, and its stream with it.
	o, m := r.match(e.Match).outcome[machine], r.machines[machine]
	if o == nil || m.match == e.Match && m.next != o.Frames {
		r.violate(c, machine, "match %d ended after %d frames, and %d were agreed", e.Match, e.Frame, m.next)
	}
}

func (c agreementChecker) look(r *referee) {
	for i, m := range r.machines {
		if m.dead || m.stats.Match != m.match {
			continue
		}
		if m.phase == session.Playing && m.stats.Phase == session.Playing && m.stats.Agreed < m.told && m.stats.Frame >= m.frame {
			r.violate(c, i, "match %d: agreed goes back from %d to %d", m.match, m.told, m.stats.Agreed)
		}
		if at, paused := m.Paused(); paused && m.stats.Phase == session.Playing && m.stats.Frame >= at && m.next < min(m.stats.Agreed, at) && (m.next > 0 || m.joined != m.match && !m.fresh) {
			r.violate(c, i, "match %d stands still at frame %d, %d are agreed, and only %d are shown", m.match, at, m.stats.Agreed, m.next)
		}
		if o, ok := m.Outcome(); ok && r.match(o.Match).outcome[i] != nil && *r.match(o.Match).outcome[i] != o {
			r.violate(c, i, "match %d: the outcome was %+v, and is %+v", o.Match, *r.match(o.Match).outcome[i], o)
		}
	}
}
