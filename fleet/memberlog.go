package fleet

import (
	"slices"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// roll is what a machine's log says, as far as it was read.
type roll struct {
	entries []session.Entry
	at      int                // how far it is in the log of all; -1 if that is not known yet
	members group              // by its log
	out     rollback.PlayerSet // who is out by its log,
	known   rollback.PlayerSet // and of whom it has told so
	alone   bool               // it goes on without somebody who is there: they play two matches
	paused  bool
}

// maxEntries is how many entries of a log a session keeps: more are not read.
const maxEntries = 256

// readLog reads what is new in the log of a machine, and compares it with the others'.
func (r *referee) readLog(machine int) {
	m := r.machines[machine]
	if !r.plan.continues() || m.live == nil {
		return
	}
	if m.fresh && r.parted() {
		m.alone = true // whichever of the matches it joins
	}
	log := m.Log()
	if len(log) == 0 && len(m.entries) > 0 && m.Phase() <= session.Starting { // another match
		m.roll = r.beginRoll()
	}
	// It may become shorter: at its end a match has no entries behind its last frame.
	for len(m.entries) < min(len(log), maxEntries-1) {
		e := log[len(m.entries)]
		if !m.alone && m.at >= 0 && r.parts(m, &e) {
			m.alone, r.split = true, true
		}
		m.entries = append(m.entries, e)
		m.moved = r.now
		m.apply(r.plan, &e)
		if !m.alone && m.at >= 0 {
			r.compareEntry(machine, e)
		}
	}
	if m.at < 0 && !m.alone {
		r.place(machine)
	}
}

func (r *referee) beginRoll() roll { return roll{members: r.plan.founders()} }

// apply takes over what an entry says.
func (l *roll) apply(p *Plan, e *session.Entry) {
	who := p.machinesOf(e.Players)
	switch e.Kind {
	case session.EntryLeave, session.EntryDrop, session.EntryKick:
		l.members &^= who
		l.out |= e.Players
	case session.EntryJoin:
		l.members |= who
		l.out &^= e.Players
	case session.EntryPause:
		l.paused = true
	case session.EntryResume:
		l.paused = false
	}
}

// parts reports whether with this entry one of two goes on without the other, who is
// there: of two each may.
func (r *referee) parts(m *watched, e *session.Entry) bool {
	who := r.plan.machinesOf(e.Players)
	if e.Kind != session.EntryDrop || m.members.len() != 2 || m.members&who == 0 {
		return false
	}
	for i, other := range r.machines {
		if who.has(i) && (other.dead || other.fresh || other.kicked || other.gone != "" && other.gone != through) {
			return false
		}
	}
	return true
}

// compareEntry compares an entry with the log of all, or adds it there.
func (r *referee) compareEntry(machine int, e session.Entry) {
	m := r.machines[machine]
	rec := r.match(m.match)
	if m.at == len(rec.log) {
		rec.log, rec.logAt = append(rec.log, e), r.now
		l := roll{members: rec.members}
		l.apply(r.plan, &e)
		rec.members = l.members
	}
	if rec.log[m.at] != e {
		r.violate(membershipChecker{}, machine, "match %d: entry %d of the log is %+v, elsewhere %+v", m.match, m.at, e, rec.log[m.at])
	}
	m.at++
}

// place finds where the log of one who has joined begins in that of all: its entries
// are there, one behind the other.
func (r *referee) place(machine int) {
	m := r.machines[machine]
	if len(m.entries) == 0 || m.match == 0 {
		return
	}
	rec := r.match(m.match)
	first := slices.Index(rec.log, m.entries[0])
	if first < 0 {
		return // it knows first
	}
	m.at, m.members = first, r.plan.founders()
	entries := m.entries
	for i := range rec.log[:first] {
		m.apply(r.plan, &rec.log[i])
	}
	for _, e := range entries {
		m.apply(r.plan, &e)
		r.compareEntry(machine, e)
	}
	m.out = 0
	for _, e := range entries { // what was before, it is not told
		m.roll.notes(&e)
	}
}

// notes takes over who is out.
func (l *roll) notes(e *session.Entry) {
	switch {
	case removes(e.Kind):
		l.out |= e.Players
	case e.Kind == session.EntryJoin:
		l.out &^= e.Players
	}
}

// founders are the machines that begin a match.
func (p *Plan) founders() (g group) {
	for i := range p.Machines {
		if !p.Machines[i].Joins {
			g |= 1 << i
		}
	}
	return g
}

// hearing is who can hear whom now.
type hearing struct {
	of    [MaxMachines]group // by machine: it and they hear each other
	since time.Duration      // when that has changed
}

// hear takes note of who hears whom.
func (r *referee) hear(of [MaxMachines]group) {
	if of != r.hearing.of {
		r.hearing = hearing{of, r.now}
	}
}

// side returns the machines that a machine and all of these hear, and whether they all
// hear each other, so that it is clear what becomes of them.
func (h *hearing) side(machine int) (g group, clear bool) {
	g = h.of[machine]
	for i := range h.of {
		if g.has(i) && h.of[i] != g {
			return g, false
		}
	}
	return g, true
}

// parted reports whether of two each has gone on without the other: even if one of
// them has left its match since.
func (r *referee) parted() bool { return r.split }

// partedAt reports whether any of these machines does.
func (r *referee) partedAt(hosts []int) bool {
	for _, h := range hosts {
		if r.machines[h].alone {
			return true
		}
	}
	return false
}
