package fleet

import (
	"errors"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// membershipChecker: where play goes on without those who go, all machines have the same
// log of who is in the match; its entries are told, with their frames; and only who is
// not in it any more is told to be out.
type membershipChecker struct{ indifferent }

func (membershipChecker) name() string { return "membership" }

func (c membershipChecker) event(r *referee, machine int, e *session.Event) {
	m := r.machines[machine]
	if !r.plan.continues() || m.Phase() != session.Playing || e.Frame >= r.plan.Frames {
		return // behind the last frame there is nothing in the log
	}
	switch e.What {
	case session.Left, session.Dropped:
		m.known |= e.Players
		if at, found := m.removedAt(e.Players); !found || at != e.Frame {
			r.violate(c, machine, "%v, and the log says frame %d (%v): %v", e, at, found, m.entries)
		}
	case session.Joined:
		m.known &^= e.Players
		if !m.logged(session.EntryJoin, e.Frame) {
			r.violate(c, machine, "%v is not in the log: %v", e, m.entries)
		}
	case session.Paused:
		if !m.logged(session.EntryPause, e.Frame) {
			r.violate(c, machine, "%v is not in the log: %v", e, m.entries)
		}
	case session.Unpaused:
		if !m.logged(session.EntryResume, e.Frame) {
			r.violate(c, machine, "%v is not in the log: %v", e, m.entries)
		}
	}
}

func (c membershipChecker) look(r *referee) {
	for i, m := range r.machines {
		if m.dead || m.stats.Phase != session.Playing {
			continue
		}
		if out := m.out &^ m.known; out != 0 {
			r.violate(c, i, "%v is out by the log, and no event has told it: %v", out, m.entries)
			m.known |= out
		}
	}
}

func (c membershipChecker) end(r *referee) {
	for i, m := range r.machines {
		var out *session.RemovedError
		if r.parted() {
			return // the log of one of them is not kept
		}
		if !errors.As(m.Err(), &out) || out.Kicked || m.alone || m.match == 0 || m.fresh {
			continue
		}
		if rec := r.match(m.match); rec.members.has(i) {
			r.violate(c, i, "%v, and the log has it as a member: %v", out, rec.log)
		}
	}
}

// removedAt returns the first frame without any of some players, by the log.
func (m *watched) removedAt(players rollback.PlayerSet) (at session.Frame, found bool) {
	for p := range players.All() {
		one := false
		for _, e := range m.entries {
			if removes(e.Kind) && e.Players.Has(p) {
				one = true
				at = max(at, e.Frame)
			}
		}
		if !one {
			return 0, false
		}
	}
	return at, true
}

// logged reports whether the log has an entry.
func (m *watched) logged(kind session.EntryKind, at session.Frame) bool {
	for _, e := range m.entries {
		if e.Kind == kind && e.Frame == at {
			return true
		}
	}
	return false
}

func removes(k session.EntryKind) bool {
	return k == session.EntryLeave || k == session.EntryDrop || k == session.EntryKick
}
