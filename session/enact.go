package session

import (
	"fmt"
	"slices"
	"time"

	"github.com/tickback/tickback/session/membership"
)

// history has the newest entries of the membership log, as the application sees them.
type history struct {
	list    []Entry
	changes uint64 // all entries of the match
}

// maxLog is how many entries are kept.
const maxLog = 256

// begin empties it, for a match.
func (h *history) begin() { h.list, h.changes = h.list[:0], 0 }

func (h *history) note(kind EntryKind, players PlayerSet, f Frame) {
	h.changes++
	if len(h.list) == maxLog {
		h.list = append(h.list[:0], h.list[1:]...)
	}
	h.list = append(h.list, Entry{Kind: kind, Players: players, Frame: f})
}

// before returns the entries of a match of so many frames. A newcomer still needs the others.
func (h *history) before(limit Frame) []Entry {
	behind := func(e Entry) bool { return e.Kind != EntryEnd && e.Frame >= limit }
	if !slices.ContainsFunc(h.list, behind) {
		return h.list
	}
	return slices.DeleteFunc(slices.Clone(h.list), behind)
}

// Log returns the membership log of the match: the newest entries, up to 256, without those after
// its last frame. It is valid until the next call of Update; do not change it.
func (m *Machine) Log() []Entry { return m.log.before(m.match.limit) }

// Deciding reports whether the membership log has something to decide now, as far as is
// known here: a peer wants to leave, to join or to pause, or is not heard.
func (m *Machine) Deciding() bool { return m.logged() && !m.core.Quiet() }

// enact does what the log has decided.
func (m *Machine) enact(e *membership.Entry) {
	switch e.Kind {
	case membership.Leave, membership.Drop, membership.Kick:
		m.remove(e)
	case membership.Join:
		m.admit(e)
	case membership.Pause:
		m.log.note(EntryPause, e.Players, e.Frame)
		m.pause(e.Players, e.Frame)
	case membership.Resume:
		m.log.note(EntryResume, e.Players, e.Frame)
		m.unpause(e.Players)
	}
}

// removals are the entries that take players out.
var removals = [...]struct {
	kind EntryKind
	what What
}{
	membership.Leave: {EntryLeave, Left},
	membership.Drop:  {EntryDrop, Dropped},
	membership.Kick:  {EntryKick, Dropped},
}

// remove does an entry that takes players out.
func (m *Machine) remove(e *membership.Entry) {
	if e.Players&m.cfg.Local != 0 {
		m.removed(e)
		return
	}
	if e.Kind == membership.Kick {
		m.revoke(e.Players)
	}
	r := removals[e.Kind]
	m.end.disinherit(e, m.match.limit)
	for p := range e.Players.All() {
		m.log.note(r.kind, PlayerSet(1)<<p, e.Cut(p))
		if !m.joining.observing() && m.cfg.continues() { // else the stream says it, or no frame lacks it
			m.disconnect(p, e.Cut(p))
		}
	}
	for _, l := range m.links {
		if l.players&^e.Players != 0 || m.at[l.List[0]] != l {
			continue // it has gone before, and its players are back at another machine
		}
		what, first := r.what, Frame(0)
		switch {
		case l.said:
			what = Left
		case !m.cfg.continues():
			what = Lost
		}
		for _, p := range l.List {
			first = max(first, e.Cut(p))
		}
		switch {
		case l.why != "" || e.Kind != membership.Drop:
		case unseen(m)&l.players != 0:
			l.why = "it has joined, and plays nothing"
		default:
			l.why = "silent for " + (m.now - l.Heard).Round(time.Millisecond).String()
		}
		l.part()
		m.events.Add(Event{What: what, Players: l.players, Frame: first, Text: l.why})
	}
	m.shorten(e)
}

// removed does an entry that takes us out.
func (m *Machine) removed(e *membership.Entry) {
	if !m.end.remove(&RemovedError{Frame: e.Cut(m.local[0]), Kicked: e.Kind == membership.Kick}, m.now) {
		return // linger waits for that
	}
	m.shorten(e)
	if m.outlast(); m.phase == Playing && m.cfg.continues() {
		m.bereave(e)
	}
}

// bereave takes out the other players of an entry that takes us out, since we were in the match to
// its last frame, and its frames lack them. If we have inputs of theirs that no remaining member has,
// our frames are not those of the match.
func (m *Machine) bereave(e *membership.Entry) {
	others := e.Players &^ m.cfg.Local
	for p := range others.All() {
		if at := e.Cut(p); at >= m.match.limit {
			others &^= PlayerSet(1) << p
		} else if m.sim.Next(p) > at {
			m.abandon(m.end.removed)
			return
		}
	}
	for p := range others.All() {
		m.disconnect(p, e.Cut(p))
	}
}

// RemovedError says that the other peers continue without us, or have ended the match. With
// Config.Join we can come back to a match that continues.
type RemovedError struct {
	Frame  Frame // the first without us
	Kicked bool  // on purpose
	Reason string
}

// Error says from which frame on.
func (e *RemovedError) Error() string {
	how := "the others have gone on without us"
	if e.Kicked {
		how = "we were kicked"
	}
	if e.Reason != "" {
		how += ": " + e.Reason
	}
	return fmt.Sprintf("%s (frame %d)", how, e.Frame)
}

// QuorumError says that the rest of the match cannot be reached, and that too few peers are left to
// continue.
type QuorumError struct {
	Players PlayerSet // who cannot be reached
	After   time.Duration
}

// Error names who is missing.
func (e *QuorumError) Error() string {
	return fmt.Sprintf("waited %v for %v: without them we are no majority of the match", e.After.Round(time.Millisecond), e.Players)
}

// disconnect takes a player out of the match.
func (m *Machine) disconnect(p Player, from Frame) {
	if err := m.sim.part(p, from); err != nil {
		m.fail(err)
	}
}

// watchQuorum reports when too few peers are left to continue, and gives up after a time.
func (m *Machine) watchQuorum() {
	t := &m.match
	switch {
	case !m.logged() || !m.core.Member() || m.core.Quorate():
		if t.frozen != 0 {
			t.frozen = 0
			m.events.Add(Event{What: Quorate})
		}
	case t.frozen == 0:
		t.frozen = m.now
		m.events.Add(Event{What: Frozen, Players: m.core.Accused()})
	case m.now-t.frozen > m.cfg.QuorumTimeout:
		m.abandon(&QuorumError{m.core.Accused(), m.now - t.frozen})
	}
}
