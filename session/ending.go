package session

import (
	"time"

	"github.com/tickback/tickback/session/membership"
)

// How a match ends when somebody is gone (OnLeave End): the log decides which members go, and
// from which frame on, just as if the rest played on (package membership). All that remain
// then have the same inputs of those that go. The match ends before the first frame that
// lacks one of these inputs, for all. Nobody can have agreed on a later frame, since that
// takes the inputs of all members.
//
// A member that is dropped, and still receives, is told so (see parting.go). It has given its
// inputs of all these frames, so it has the same outcome: a peer that is at the end sends it
// the inputs that it lacks, and the summary. With OnLeave Continue the same holds for a member
// that was in the match to its last frame, unless the log has changed something before that
// frame since: a member that is out does not hear of such a change. A side without a majority
// decides nothing. It ends after Config.QuorumTimeout with what was agreed, and its outcome
// says that others may have ended elsewhere.

// ending is how a match comes to its end.
type ending struct {
	playing bool          // inputs are still sent
	since   time.Duration // when Ending began
	leaving bool          // we leave,
	why     error         // for this reason
	// resigned: by the log, we have left.
	resigned bool
	// removed: by the log, we are out, perhaps only after the last frame.
	removed   *RemovedError
	removedAt time.Duration
	lost      PlayerSet // players whose going has ended the match
	heirs     PlayerSet // players that are out, and know of every change up to its last frame
	outcome   Outcome
	over      bool // there is an outcome
}

// continues reports whether the rest of a match goes on when somebody goes.
func (c *Config) continues() bool { return c.OnLeave == Continue }

// shorten ends the match without those whom an entry removes.
func (m *Machine) shorten(e *membership.Entry) {
	if m.cfg.continues() {
		return
	}
	at := NoFrame
	for p := range e.Players.All() {
		at = min(at, e.Cut(p))
	}
	m.end.lost |= e.Players
	if at < m.match.limit {
		m.match.limit = at
		m.note(EntryEnd, e.Players, at)
	}
}

// toTheEnd reports whether the match has all inputs of some players, whatever the log
// says of what is behind its last frame.
func (m *Machine) toTheEnd(players PlayerSet) bool {
	for p := range players.All() {
		if m.core == nil || m.core.State().Absent[p].From < m.match.limit {
			return false
		}
	}
	return true
}

// disinherit takes note of an entry that players who are out already do not learn of.
func (m *Machine) disinherit(e *membership.Entry) {
	at := e.Frame
	if e.Kind != membership.Join {
		for p := range e.Players.All() {
			at = min(at, e.Cut(p))
		}
	}
	if at < m.match.limit {
		m.end.heirs = 0
	}
	if e.Kind != membership.Join {
		m.end.heirs |= e.Players
	}
}

// inherited reports whether a peer that is out has the same end of the match.
func (m *Machine) inherited(l *link) bool {
	return l.state == gone && m.toTheEnd(l.players) && (!m.cfg.continues() || l.players&^m.end.heirs == 0)
}

// bequeath sends a peer that is out, but was in the match to its end, the inputs that it may
// lack.
func (m *Machine) bequeath(l *link, frames Frame) {
	for p := range (m.everybody() &^ l.players).All() {
		m.sendFill(l, p, l.confirmed, frames)
	}
}

// inherits reports whether this machine, being out, takes other players' inputs from a peer.
func (m *Machine) inherits(l *link, f Frame) bool {
	return m.end.removed != nil && m.ours(l) && f < m.match.limit
}

// outlast waits, out of the match, for the word that it has come to its end, if we may
// have been in it so long; and ends without an end that is agreed.
func (m *Machine) outlast() {
	e := &m.end
	if e.removed == nil || m.phase != Playing {
		return
	}
	said, ends := m.sim.Provisional()
	switch early := ends && said.Frame < e.removed.Frame; {
	case !early && !m.toTheEnd(m.cfg.Local):
		m.fail(e.removed) // the others play on
	case m.now-e.removedAt > m.cfg.Linger:
		m.abandon(e.removed)
	}
}

// abandon ends a match of which it is not known here how it ends: with what is agreed.
func (m *Machine) abandon(err error) {
	if m.phase == Playing && !m.settle() {
		return
	}
	// What is agreed may be ahead of a pause that we have not heard the end of.
	o := m.outcomeAt(min(m.sim.Agreed(), m.frame))
	if o.Unagreed = true; o.Health == Healthy {
		o.Health = Unverified // of the last frames
	}
	m.end.outcome, m.end.over = o, true
	m.events.add(Event{What: Ended, Match: o.Match, Frame: o.Frames})
	m.fail(err)
}

// everybody is the set of all players.
func (m *Machine) everybody() PlayerSet { return PlayerSet(1<<m.cfg.Players - 1) }

// sampled is the number of frames of which all our inputs have been made: more
// nobody can have.
func (m *Machine) sampled() Frame {
	n := NoFrame
	for _, p := range m.local {
		n = min(n, m.next(p))
	}
	return n
}
