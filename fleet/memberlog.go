package fleet

import (
	"math/bits"
	"slices"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// roll is a machine's log, as far as it has been read.
type roll struct {
	entries []session.Entry
	at      int                // its position in the common log; -1 if that is not known yet
	members group              // according to its log
	out     rollback.PlayerSet // the players that are out according to its log
	known   rollback.PlayerSet // the players in out that it has reported
	news    []session.Entry    // other entries that its events have reported
	alone   bool               // it goes on without a machine that is present: the two play two separate matches
	without bool               // it goes on in frames in which the log does not have it, so it must drop the other
	paused  bool
}

// maxEntries is how many entries of a log a session keeps; longer logs are not read.
const maxEntries = 256

// readLog reads the new entries of a machine's log, and compares them with the others'.
func (r *referee) readLog(machine int) {
	m := r.machines[machine]
	if !r.plan.continues() || m.live == nil {
		return
	}
	if m.fresh && r.parted() {
		m.alone = true // whichever of the two matches it joins
	}
	log := m.Log()
	if len(log) >= maxEntries {
		return
	}
	fresh := r.unread(machine, log)
	for i, e := range fresh {
		if !m.alone && m.at >= 0 && r.parts(m, fresh[i:]) {
			m.alone, r.split = true, m.match
		}
		membershipChecker{}.enters(r, machine, &e)
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

// unread returns the new part of a log, which must begin with what was read before. When a game itself ends a match,
// entries after its last frame are taken back.
func (r *referee) unread(machine int, log []session.Entry) []session.Entry {
	m := r.machines[machine]
	for _, e := range m.entries {
		switch {
		case len(log) > 0 && log[0] == e:
			log = log[1:]
		case !m.takenBack(&e):
			r.violate(membershipChecker{}, machine, "match %d: %+v was in the log, but is missing before %v", m.match, e, log)
			return nil
		}
	}
	return log
}

// takenBack reports whether an entry is after the end of the match.
func (m *watched) takenBack(e *session.Entry) bool {
	o, ok := m.Outcome()
	return e.Frame >= m.next || ok && e.Frame >= o.Frames
}

// begins forgets the log of a machine when it begins match m.match. A machine that is alone stays so: its
// next match is not that of the other side with the same number, and its members are those of its own log.
func (r *referee) begins(machine int) {
	m := r.machines[machine]
	members := r.match(m.match).begun
	if m.alone {
		members = m.members
	}
	if m.roll = (roll{members: members, alone: m.alone}); m.fresh {
		m.at = -1
	}
}

// attend records which machines were present in frame 0 of a match, and which were not: since the previous match some
// have left, and others have joined after its last frame, which no log records. For machines that join or leave in the
// match, its log says more.
func (r *referee) attend(a *agreement) {
	m, rec := r.machines[a.machine], r.match(a.match)
	var absent, there group
	for i, other := range r.machines {
		if other.players&^a.without == 0 {
			absent |= 1 << i
		} else {
			there |= 1 << i
		}
	}
	mine, common := r.plan.machinesOf(changed(m.entries)), r.plan.machinesOf(changed(rec.log))
	m.members = m.members&^(absent&^mine) | there&^mine
	rec.members = rec.members&^(absent&^common) | there&^common
	rec.begun = rec.begun&^(absent&^mine) | there
}

// changed returns the players that join or leave according to the entries of a log.
func changed(log []session.Entry) (players rollback.PlayerSet) {
	for _, e := range log {
		if removes(e.Kind) || e.Kind == session.EntryJoin {
			players |= e.Players
		}
	}
	return players
}

// apply applies an entry.
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

// parts reports whether the log of a machine and the common log diverge at an entry, and are allowed to. They are if
// each of two members has removed the other on its own, immediately, or after an entry that it had voted for or that
// made a newcomer the third member.
func (r *referee) parts(m *watched, entries []session.Entry) bool {
	log := r.match(m.match).log
	me := r.plan.machinesOf(m.players)
	switch {
	case m.members.len() != 2:
		return false
	case r.removesOne(entries[0], m.members&^me) && r.dropped(bits.TrailingZeros(uint(m.members&^me)), m.match)&m.players != 0:
		return true // both have removed each other; one of them after the last frame, so that no log has that
	case m.at >= len(log) || log[m.at] == entries[0]:
		return false
	}
	mine, theirs := entries[:min(2, len(entries))], log[m.at:min(m.at+2, len(log))]
	direct := r.removesOne(mine[0], m.members&^me) || r.removesOne(theirs[0], me)
	return direct && r.goesOn(mine, m.members&^me) && r.goesOn(theirs, me)
}

// dropped returns the players that a machine has reported as dropped in a match, even after its last frame.
func (r *referee) dropped(machine int, match uint32) rollback.PlayerSet {
	if rec := r.match(match); rec.outcome[machine] != nil {
		return rec.dropped[machine]
	}
	return r.machines[machine].drops
}

// goesOnWithout is called when a machine agrees on a frame in which it is no longer present according to the common
// log, before it has read that entry. It was one of two members, and has removed the other after the last frame, where
// no log records it. Its events must report that before they report its end.
func (r *referee) goesOnWithout(machine int, f session.Frame) {
	m := r.machines[machine]
	if !r.plan.continues() || m.fresh || m.at < 0 || m.members.len() != 2 {
		return
	}
	log := r.match(m.match).log
	if m.at < len(log) && r.removesOne(log[m.at], 1<<machine) && f >= log[m.at].Frame {
		m.alone, m.without, r.split = true, true, m.match
	}
}

// goesOn reports whether these are the entries of a machine that goes on without another one.
func (r *referee) goesOn(entries []session.Entry, other group) bool {
	for _, e := range entries {
		if r.removesOne(e, other) {
			return true
		}
	}
	return entries[0].Kind == session.EntryJoin
}

// removesOne reports whether an entry drops or kicks one of these machines.
func (r *referee) removesOne(e session.Entry, who group) bool {
	return (e.Kind == session.EntryDrop || e.Kind == session.EntryKick) && r.plan.machinesOf(e.Players) == who
}

// compareEntry compares an entry with the common log, or appends it there.
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

// place finds where the log of a machine that has joined begins in the common log, which must contain its
// entries one after another.
func (r *referee) place(machine int) {
	m := r.machines[machine]
	if len(m.entries) == 0 || m.match == 0 {
		return
	}
	rec := r.match(m.match)
	first := placeOf(rec.log, m.entries)
	if first < 0 {
		return // it is the first to have the entry
	}
	m.at, m.members = first, rec.begun
	entries := m.entries
	for i := range rec.log[:first] {
		m.apply(r.plan, &rec.log[i])
	}
	for _, e := range entries {
		m.apply(r.plan, &e)
		r.compareEntry(machine, e)
	}
	m.out = 0
	for _, e := range entries { // it is not told what happened before
		m.roll.notes(&e)
	}
}

// placeOf returns where entries are in a log, consecutively, or at least the first of them; -1 if there are none. If
// they occur several times, it returns the last place: a machine that came back, was removed before its first frame,
// and came back once more, has left the same entry twice.
func placeOf(log, entries []session.Entry) int {
	for i := len(log) - 1; i >= 0; i-- {
		n := min(len(entries), len(log)-i)
		if slices.Equal(log[i:i+n], entries[:n]) {
			return i
		}
	}
	return slices.Index(log, entries[0])
}

// notes updates which players are out after an entry.
func (l *roll) notes(e *session.Entry) {
	switch {
	case removes(e.Kind):
		l.out |= e.Players
	case e.Kind == session.EntryJoin:
		l.out &^= e.Players
	}
}

// founders returns the machines that begin a match.
func (p *Plan) founders() (g group) {
	for i := range p.Machines {
		if !p.Machines[i].Joins {
			g |= 1 << i
		}
	}
	return g
}

// hearing records which machines currently hear each other.
type hearing struct {
	of    [MaxMachines]group // by machine: those that it hears and that hear it
	since time.Duration      // when any of these last changed
}

// hear records which machines hear each other.
func (r *referee) hear(of [MaxMachines]group) {
	if of != r.hearing.of {
		r.hearing = hearing{of, r.now}
	}
}

// side returns the machines that a machine hears, and whether all of them hear each other, so that the outcome for them
// is clear.
func (h *hearing) side(machine int) (g group, clear bool) {
	g = h.of[machine]
	for i := range h.of {
		if g.has(i) && h.of[i] != g {
			return g, false
		}
	}
	return g, true
}

// parted reports whether two machines have gone on without each other, even if one of them has left its
// match since.
func (r *referee) parted() bool { return r.split > 0 }

// partedAt reports whether one of these machines has gone on alone.
func (r *referee) partedAt(hosts []int) bool {
	for _, h := range hosts {
		if r.machines[h].alone {
			return true
		}
	}
	return false
}
