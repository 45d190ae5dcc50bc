package fleet

import (
	"errors"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// membershipChecker checks matches that go on when machines leave: all machines have the same log of members, its
// entries are reported with their frames, and only machines that are no longer members are reported as removed. In
// matches that end for all when a machine leaves, a machine is told of its removal only if others have reported it as
// gone.
type membershipChecker struct{ noCheck }

func (membershipChecker) name() string { return "membership" }

func (c membershipChecker) event(r *referee, machine int, e *session.Event) {
	m := r.machines[machine]
	if e.What == session.Ended && m.without && r.dropped(machine, e.Match) == 0 {
		r.violate(c, machine, "it has gone on in frames in which the log does not have it, and has dropped nobody: %v", r.match(m.match).log)
	}
	kind, known := entryOf[e.What]
	if known && !c.before(r, m, e) {
		m.news = append(m.news, session.Entry{Kind: kind, Frame: e.Frame})
	}
	if e.What == session.Lost || e.What == session.Left || e.What == session.Dropped {
		m.known |= e.Players // including before frame 0, while all machines get ready
	}
	if !r.plan.continues() || m.Phase() != session.Playing || !m.underway || e.Frame >= r.plan.Frames {
		return // before the match there is no log, and after its last frame the log has no entries
	}
	if known && m.logged(kind, e.Frame) < times(m.news, kind, e.Frame) {
		r.violate(c, machine, "%v is not in the log, or not as often: %v", e, m.entries)
	}
	switch e.What {
	case session.Left, session.Dropped:
		if at, found := m.removedAt(e.Players); !found || at != e.Frame {
			r.violate(c, machine, "%v, and the log says frame %d (%v): %v", e, at, found, m.entries)
		}
	case session.Joined:
		m.known &^= e.Players
	}
}

// before reports whether an event tells a machine that has joined about a pause that is not in its log, because its log
// begins later.
func (membershipChecker) before(r *referee, m *watched, e *session.Event) bool {
	return e.What == session.Paused && m.fresh && m.logged(session.EntryPause, e.Frame) == 0 &&
		(m.alone || times(r.match(m.match).log, session.EntryPause, e.Frame) > 0)
}

// enters sees every entry of a machine's log before it takes effect. No machine can leave twice. A
// machine that has joined and goes on alone must have all inputs of the others before its first
// frame; otherwise there are frames without any players.
func (c membershipChecker) enters(r *referee, machine int, e *session.Entry) {
	m := r.machines[machine]
	switch who := r.plan.machinesOf(e.Players); {
	case removes(e.Kind) && e.Players&m.out != 0, e.Kind == session.EntryPause && m.paused:
		r.violate(c, machine, "%+v has happened already: %v", *e, m.entries)
	case removes(e.Kind) && e.Kind != session.EntryLeave && m.members&^who == 1<<machine:
		for _, came := range m.entries {
			if came.Kind == session.EntryJoin && came.Players&m.players != 0 && e.Frame < came.Frame {
				r.violate(c, machine, "%+v leaves it alone, although it has only joined with frame %d", *e, came.Frame)
			}
		}
	}
}

func (c membershipChecker) look(r *referee) {
	for i, m := range r.machines {
		if m.dead || m.stats.Phase != session.Playing {
			continue
		}
		if out := m.out &^ m.known; out != 0 {
			r.violate(c, i, "%v is out according to the log, but no event has reported it: %v", out, m.entries)
			m.known |= out
		}
		for _, e := range m.entries {
			if !removes(e.Kind) && e.Kind != session.EntryEnd && times(m.news, e.Kind, e.Frame) < m.logged(e.Kind, e.Frame) {
				r.violate(c, i, "%+v is in the log, but no event has reported it: %v", e, m.entries)
			}
		}
	}
}

func (c membershipChecker) end(r *referee) {
	for i, m := range r.machines {
		var out *session.RemovedError
		if r.parted() {
			return // the log of one of the two sides is not kept
		}
		if !errors.As(m.Err(), &out) || out.Kicked || m.alone || m.match == 0 || m.fresh {
			continue
		}
		rec := r.match(m.match)
		if o := rec.outcome[i]; o != nil && !o.Unagreed {
			continue // the machine was in the match until its end
		}
		switch {
		case !r.plan.continues() && !r.missed(i):
			r.violate(c, i, "%v, although no other machine has reported it as gone", out)
		case r.plan.continues() && rec.members.has(i) && !rec.behind(r.plan, out.Frame):
			r.violate(c, i, "%v, although the log has it as a member: %v", out, rec.log)
		}
	}
}

// missed reports whether another machine has reported that a machine is gone, or may have decided that when it left
// itself.
func (r *referee) missed(machine int) bool {
	for i, m := range r.machines {
		if i != machine && (m.dead || m.known&r.machines[machine].players != 0) {
			return true
		}
	}
	return false
}

// behind reports whether a frame is after the last one of the match, so that no log has entries
// for it.
func (m *matchRecord) behind(p *Plan, f session.Frame) bool {
	return f >= p.Frames || m.end.Finished && int(f) >= len(m.facts)
}

// removedAt returns the first frame without any of these players, according to the log.
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

// entryOf maps events to the entries that they report, except for removals.
var entryOf = map[session.What]session.EntryKind{
	session.Joined: session.EntryJoin, session.Paused: session.EntryPause, session.Unpaused: session.EntryResume,
}

// logged returns how many times an entry is in the log.
func (m *watched) logged(kind session.EntryKind, at session.Frame) int {
	return times(m.entries, kind, at)
}

func times(list []session.Entry, kind session.EntryKind, at session.Frame) (n int) {
	for _, e := range list {
		n += btoi(e.Kind == kind && e.Frame == at)
	}
	return n
}

func removes(k session.EntryKind) bool {
	return k == session.EntryLeave || k == session.EntryDrop || k == session.EntryKick
}
