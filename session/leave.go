package session

import (
	"github.com/tickback/tickback/session/lobby"
	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/wire/datagram"
)

// Leave leaves the session: the peers are told, and our inputs up to now are
// delivered. The session is over when they have acknowledged it, or after
// Config.Linger; keep calling Poll until then. The reason is text for the peers.
func (m *Machine) Leave(reason string) {
	if m.phase != Over && m.end.departure == staying {
		m.leave(reason, ErrClosed)
	}
}

// leave tells the peers that we leave, and waits until they have what they need from us.
func (m *Machine) leave(reason string, why error) {
	resigns := m.logged() && m.phase == Playing
	if m.end.leave(resigns, why); m.phase < Playing {
		m.core = nil // we are in no match
	}
	waiting := false
	for _, l := range m.links {
		if l.state == connected {
			m.sendLeave(l, reason, resigns)
			waiting = true
		}
	}
	if resigns {
		waiting = m.resign() == nil
	}
	if !waiting {
		m.enterOver(why)
		return
	}
	if m.enterEnding(); resigns {
		m.progress()
	}
	m.sendAll()
}

// resign gives our players empty inputs for as many frames as the log takes to decide that they
// leave, so that nobody waits for them.
func (m *Machine) resign() error {
	at := Frame(0)
	for _, p := range m.local {
		at = max(at, m.inputs.Next(p))
	}
	if m.core.State().Len() > 1 && m.cfg.continues() {
		at = max(at, min(at+m.lead(), m.match.pausedAt)) // in a pause nobody waits for them
	}
	for _, p := range m.local {
		m.inputs.Rest(p, at)
	}
	return m.core.Ask(membership.Wish{Kind: membership.Leave, Players: m.cfg.Local, Frame: at})
}

// sendLeave tells a peer why we leave, and the first frames without our players; [NoFrame] if the
// log decides these.
func (m *Machine) sendLeave(l *link, reason string, resigns bool) {
	b := m.begins(messageLeave)
	for _, p := range m.local {
		at := m.inputs.Next(p)
		if resigns {
			at = NoFrame
		}
		b = le.AppendUint32(b, uint32(at))
	}
	m.message = append(b, cut(reason)...)
	_ = l.Channel.Send(m.message) // if there is no room, the peer will notice our silence
}

// receiveLeave takes the message of a peer that leaves.
func (m *Machine) receiveLeave(l *link, number uint32, b []byte) error {
	fixed := 4 * len(l.List)
	if len(b) < fixed {
		return datagram.ErrShort
	}
	if l.state != connected {
		return nil
	}
	if l.aside && m.joining.observing() {
		l.state = gone // the roll says who plays
		return nil
	}
	l.why, l.said = cut(string(b[fixed:])), true
	switch {
	case !m.logged():
		l.state = leaving
		m.events.Add(Event{What: Left, Players: l.players, Text: l.why})
		m.departed(l, "it left: "+l.why)
	case number != m.match.number || Frame(le.Uint32(b)) != NoFrame: // it does not wait for its entry
		m.core.Depart(l.players)
		l.state = gone
	}
	return nil
}

// lose gives up a peer.
func (m *Machine) lose(l *link, why string) {
	if l.state == gone || m.phase == Over {
		return
	}
	if m.candidateOf(l) != nil || l.aside && m.joining.observing() {
		l.state = gone // no decision of the log is needed: one of us is not in the match
		return
	}
	if m.logged() {
		l.why, l.state = why, gone
		m.core.Depart(l.players)
		return
	}
	if was := l.state; was != leaving {
		m.events.Add(Event{What: Lost, Players: l.players, Text: why})
	}
	m.reset(l, why)
	m.departed(l, why)
}

// departed continues without a peer that has gone while no match is played, or ends the session.
// With OnLeave Continue the rest plays the next match without it, if there is a host to propose
// one, or if that match is about to begin.
func (m *Machine) departed(l *link, why string) {
	if m.end.departure != staying {
		return // we leave for a reason of our own
	}
	begins := m.phase == Starting && m.lobby.Stage() >= lobby.Ready
	if !m.cfg.continues() || m.phase == Connecting || l.players.Has(0) && !begins {
		e := &LostError{Players: l.players, Why: why, Restarted: restarted(&m.peers) & l.players}
		if _, over := m.Outcome(); over && l.said && m.phase == Lobby {
			e.Why, e.Left = aloneAfter, true // as if it had gone before we came to the lobby
		}
		m.fail(e)
		return
	}
	l.state = gone
	if m.core != nil && m.lobby.Stage() >= lobby.Accepted {
		m.core.Depart(l.players)
	}
}
