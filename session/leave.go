package session

import (
	"github.com/tickback/tickback/wire/datagram"
)

// Leave leaves the session: the others are told, and our inputs up to now are
// delivered. The session is over when they have acknowledged it, or after
// Config.Linger; keep calling Poll until then. The reason is text for the others.
func (m *Machine) Leave(reason string) {
	if m.phase == Over || m.end.leaving {
		return
	}
	m.end.leaving, m.end.why = true, ErrClosed
	if m.logged() && m.phase == Playing {
		m.resign(reason)
		return
	}
	if m.phase < Playing {
		m.core = nil // we are in no match, and have no part in what its log says
	}
	m.enterEnding()
	waiting := false
	for _, l := range m.links {
		if l.state == connected {
			m.sendLeave(l, reason)
			waiting = true
		}
	}
	if !waiting {
		m.enterOver(ErrClosed)
		return
	}
	m.sendAll()
}

func (m *Machine) sendLeave(l *link, reason string) {
	b := m.begins(messageLeave)
	for _, p := range m.local {
		b = le.AppendUint32(b, m.history[p].Next())
	}
	m.message = append(b, cut(reason)...)
	_ = l.Channel.Send(m.message) // a peer that takes nothing will notice our silence
}

// receiveLeave is a peer that leaves.
func (m *Machine) receiveLeave(l *link, number uint32, b []byte) error {
	fixed := 4 * len(l.list)
	if len(b) < fixed {
		return datagram.ErrShort
	}
	if l.state != connected {
		return nil
	}
	if l.aside && m.observing() {
		l.state = gone // the host tells who plays
		return nil
	}
	if !m.logged() {
		l.state = leaving
	}
	reason := cut(string(b[fixed:]))
	if m.logged() {
		m.farewellOf(l, reason, number == m.match.number && Frame(le.Uint32(b)) == NoFrame)
		return nil
	}
	l.why, l.said = reason, true
	m.events.add(Event{What: Left, Players: l.players, Text: reason})
	m.departed(l, "it left: "+reason)
	return nil
}

// lose gives up a peer.
func (m *Machine) lose(l *link, why string) {
	if l.state == gone || m.phase == Over {
		return
	}
	if m.candidateOf(l) != nil || l.aside && m.observing() {
		l.state = gone // nobody has to agree on that: it was never there, or we are not yet
		return
	}
	if m.logged() {
		l.why, l.state = why, gone
		m.core.Depart(l.players)
		return
	}
	if was := l.state; was != leaving {
		m.events.add(Event{What: Lost, Players: l.players, Text: why})
	}
	m.reset(l, why)
	m.departed(l, why)
}

// departed goes on without a peer that goes while no match is played, or ends what
// cannot: with Continue the rest plays the next match without it, if there is a host to
// propose one, or they are about to begin it.
func (m *Machine) departed(l *link, why string) {
	if m.end.leaving {
		return // so do we, for a reason of our own
	}
	begins := m.phase == Starting && m.lobby.ready
	if !m.cfg.continues() || m.phase == Connecting || l.players.Has(0) && !begins {
		e := &LostError{Players: l.players, Why: why}
		if _, over := m.Outcome(); over && l.said && m.phase == Lobby {
			e.Why, e.Left = aloneAfter, true // as if it had gone before we came to the lobby
		}
		m.fail(e)
		return
	}
	l.state = gone
	if m.core != nil && m.lobby.accepted {
		m.core.Depart(l.players)
	}
}

// needed returns those who are gone, and without whom there is no further match: the
// host, or with End anybody; and whether they have all said so.
func (m *Machine) needed() (players PlayerSet, left bool) {
	left = true
	for _, l := range m.links {
		if l.state != connected && (!m.cfg.continues() || m.at[0] == l) {
			players |= l.players
			left = left && l.said
		}
	}
	return players, left
}
