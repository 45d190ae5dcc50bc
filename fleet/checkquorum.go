package fleet

import (
	"errors"
	"time"

	"github.com/tickback/tickback/session"
)

// quorumChecker checks matches that go on when machines leave. A side that is a quorum goes on
// within seconds. One that is not reports that it is frozen, and its sessions end with a
// QuorumError after QuorumTimeout. A machine that is no longer a member stops.
type quorumChecker struct{ noCheck }

func (quorumChecker) name() string { return "quorum" }

// grace is how long members may disagree about which of them are silent: the default of package membership.
const grace = 2 * time.Second

// noticed returns how long it takes until all machines know of a silence and have decided what to do.
func (r *referee) noticed() time.Duration {
	return r.plan.DropAfter + r.plan.network().margin() + grace + r.within
}

func (c quorumChecker) event(r *referee, machine int, e *session.Event) {
	m := r.machines[machine]
	switch e.What {
	case session.Frozen:
		m.frozen, m.frozenAt = true, r.now
	case session.Quorate:
		m.frozen = false
	case session.Closed:
		var lack *session.QuorumError
		if !errors.As(m.Err(), &lack) {
			return
		}
		// A clock may be a tenth too fast, and jump.
		if least := r.plan.quorumTimeout()*8/10 - r.plan.network().absences(); !m.frozen || r.now-m.frozenAt < least || lack.After < r.plan.quorumTimeout() {
			r.violate(c, machine, "%v: it was frozen (%v) for %v", lack, m.frozen, r.now-m.frozenAt)
		}
	}
}

func (c quorumChecker) look(r *referee) {
	if !r.plan.continues() {
		return
	}
	for i, m := range r.machines {
		if m.dead || m.fresh || m.stats.Phase != session.Playing || m.phase != session.Playing || !r.hearing.of[i].has(i) {
			continue
		}
		c.judge(r, i)
	}
}

// judge checks a machine that plays.
func (c quorumChecker) judge(r *referee, i int) {
	m, rec := r.machines[i], r.match(r.machines[i].match)
	side, clear := r.hearing.side(i)
	members, settled := rec.members, max(r.hearing.since, rec.logAt, m.began)
	if m.alone {
		members, clear = m.members, true
	} else if c.missedRemoval(r, i, side) {
		members = m.members
	}
	waited := r.now - max(settled, m.moved)
	switch {
	case !clear && members.has(i):
	case !members.has(i):
		if waited := r.now - settled; waited > r.noticed()+r.plan.quorumTimeout() {
			r.violate(c, i, "match %d: it has been out for %v, and still plays: %v", m.match, waited, rec.log)
		}
	case able(side, members) && !(members.len() == 2 && m.lacks()) || m.alone:
		limit := r.noticed() + time.Duration(btoi(m.paused))*r.plan.maxPause() + r.connecting()
		if waited > limit && m.still() {
			r.violate(c, i, "match %d: nothing has moved for %v, and %v of the members %v hear each other: frame %d, confirmed %d, agreed %d, frozen %v, log %v",
				m.match, waited, machineSet(side), machineSet(members), m.stats.Frame, m.stats.Confirmed, m.stats.Agreed, m.frozen, m.entries)
			m.moved = r.now
		}
	case r.now-settled > r.noticed() && !m.frozen && !r.heardLately(i, side):
		r.violate(c, i, "match %d: of the members %v it hears only %v, for %v, and is not frozen", m.match, machineSet(members), machineSet(side), r.now-settled)
	case r.now-settled > r.noticed()+r.plan.quorumTimeout()*12/10:
		r.violate(c, i, "match %d: of the members %v it hears only %v, for %v, and still waits", m.match, machineSet(members), machineSet(side), r.now-settled)
	}
}

// missedRemoval reports whether the log has gone on without a machine, and no machine that it hears knows that, because
// those that decided it are gone.
func (quorumChecker) missedRemoval(r *referee, machine int, side group) bool {
	m := r.machines[machine]
	if m.at < 0 || m.at >= len(r.match(m.match).log) {
		return false
	}
	for i, other := range r.machines {
		if side.has(i) && other.match == m.match && other.at > m.at {
			return false
		}
	}
	return true
}

// lacks reports whether a machine has joined the match that it plays without getting all frames
// before that. As one of two members it cannot go on without the other.
func (m *watched) lacks() bool { return m.joined == m.match && m.stats.Confirmed < m.came }

// still reports whether nothing has moved since the last look.
func (m *watched) still() bool {
	return m.stats.Frame == m.frame && m.stats.Phase == m.phase && m.stats.Agreed == m.told
}

// heardLately reports whether a machine has recently heard another one that is not on its side: a machine that leaves
// while it sleeps says so when it wakes up.
func (r *referee) heardLately(machine int, side group) bool {
	for _, l := range r.machines[machine].stats.Links {
		if l.Connected && l.Quiet <= r.noticed() && r.plan.machinesOf(l.Players)&^side != 0 {
			return true
		}
	}
	return false
}
