package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/membership"
)

// Log returns the membership log of the match: the newest entries, up to 256. Who goes
// when the match is over, as all do in the end, is not in it. It is the session's, valid
// until the next call of Update; do not change it.
func (m *Machine) Log() []Entry {
	behind := func(e Entry) bool { return e.Kind != EntryEnd && e.Frame >= m.match.limit }
	if !slices.ContainsFunc(m.log, behind) {
		return m.log
	}
	return slices.DeleteFunc(slices.Clone(m.log), behind) // a newcomer still needs the others
}

// Deciding reports whether the membership log has something to decide now, as far as is
// known here: somebody wants to leave, to join or to pause, or is not heard.
func (m *Machine) Deciding() bool { return m.logged() && !m.core.Quiet() }

// maxLog is how many entries are kept.
const maxLog = 256

func (m *Machine) note(kind EntryKind, players PlayerSet, f Frame) {
	m.counts.changes++
	if len(m.log) == maxLog {
		m.log = append(m.log[:0], m.log[1:]...)
	}
	m.log = append(m.log, Entry{Kind: kind, Players: players, Frame: f})
}

// enact does what the log has decided.
func (m *Machine) enact(e *membership.Entry) {
	switch e.Kind {
	case membership.Leave, membership.Drop, membership.Kick:
		m.remove(e)
	case membership.Join:
		m.admit(e)
	case membership.Pause:
		m.note(EntryPause, e.Players, e.Frame)
		m.pause(e.Players, e.Frame)
	case membership.Resume:
		m.note(EntryResume, e.Players, e.Frame)
		m.unpause(e.Players)
	}
}

// removals are the kinds of entries without somebody.
var removals = [...]struct {
	kind EntryKind
	what What
}{
	membership.Leave: {EntryLeave, Left},
	membership.Drop:  {EntryDrop, Dropped},
	membership.Kick:  {EntryKick, Dropped},
}

// remove goes on without somebody.
func (m *Machine) remove(e *membership.Entry) {
	if e.Players&m.cfg.Local != 0 {
		m.removed(e)
		return
	}
	if e.Kind == membership.Kick {
		m.revoke(e.Players)
	}
	r := removals[e.Kind]
	m.disinherit(e)
	for p := range e.Players.All() {
		m.note(r.kind, PlayerSet(1)<<p, e.Cut(p))
		if !m.observing() && m.cfg.continues() { // else the stream says it, or no frame lacks it
			m.disconnect(p, e.Cut(p))
		}
	}
	for _, l := range m.links {
		if l.players&^e.Players != 0 || m.at[l.list[0]] != l {
			continue // it may have gone before, and its players be back at other machines
		}
		what, first := r.what, Frame(0)
		switch {
		case l.said:
			what = Left
		case !m.cfg.continues():
			what = Lost
		}
		for _, p := range l.list {
			first = max(first, e.Cut(p))
		}
		if l.why == "" && e.Kind == membership.Drop {
			l.why = "silent for " + (m.now - l.Heard).Round(time.Millisecond).String()
		}
		l.part()
		m.events.add(Event{What: what, Players: l.players, Frame: first, Text: l.why})
	}
	m.shorten(e)
}

// removed is an entry without us.
func (m *Machine) removed(e *membership.Entry) {
	if m.end.leaving { // by ourselves, or since we were told to: that is why
		m.end.resigned = true // and linger comes to an end
		return
	}
	m.end.removed, m.end.removedAt = &RemovedError{Frame: e.Cut(m.local[0]), Kicked: e.Kind == membership.Kick}, m.now
	m.shorten(e)
	if m.outlast(); m.phase == Playing && m.cfg.continues() {
		m.bereave(e)
	}
}

// bereave takes those out who go with us: frames to the end of the match, to which we
// have been in it, lack them. If we have inputs of theirs that nobody who remains has,
// these frames are not ours.
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

// RemovedError says that the others have gone on without us, or ended the match. With
// Config.Join we can come back to one that goes on.
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

// QuorumError says that the rest of the match is out of reach, and those who are left
// are not enough to go on.
type QuorumError struct {
	Players PlayerSet // who are out of reach
	After   time.Duration
}

// Error names who is missing.
func (e *QuorumError) Error() string {
	return fmt.Sprintf("waited %v for %v: without them we are no majority of the match", e.After.Round(time.Millisecond), e.Players)
}

// disconnect takes a player out of the match. One who has yet to come back goes as soon
// as it has.
func (m *Machine) disconnect(p Player, from Frame) {
	err := m.sim.Disconnect(p, from)
	var early *rollback.PlayerError
	if errors.As(err, &early) {
		m.match.parting = append(m.match.parting, parting{p, from})
		return
	}
	if err != nil {
		m.fail(err)
	}
}

// parting is a player who goes at a frame, but comes before.
type parting struct {
	player Player
	from   Frame
}

// part tries again to take out those who had not come yet.
func (m *Machine) part() {
	list := m.match.parting
	if len(list) == 0 {
		return
	}
	m.match.parting = nil
	for _, p := range list {
		m.disconnect(p.player, p.from)
	}
}

// watchQuorum says that this side is not enough to go on, and gives up after a time.
func (m *Machine) watchQuorum() {
	t := &m.match
	switch {
	case !m.logged() || !m.core.Member() || m.core.Quorate():
		if t.frozen != 0 {
			t.frozen = 0
			m.events.add(Event{What: Quorate})
		}
	case t.frozen == 0:
		t.frozen = m.now
		m.events.add(Event{What: Frozen, Players: m.core.Accused()})
	case m.now-t.frozen > m.cfg.QuorumTimeout:
		m.abandon(&QuorumError{m.core.Accused(), m.now - t.frozen})
	}
}
