package session

import (
	"github.com/tickback/tickback/session/lobby"
	"github.com/tickback/tickback/wire/datagram"
)

// Leave leaves the session: the peers are notified, and our inputs up to now are delivered. The session is over
// when the peers have acknowledged that, or after Config.Linger; keep calling Poll until then. The reason is text
// for the peers.
func (m *Machine) Leave(reason string) {
	defer m.handleLosses()
	if m.phase != Over && m.match.End().Stays() {
		m.startLeaving(reason, ErrClosed)
	}
}

// startLeaving starts to leave.
func (m *members) startLeaving(reason string, why error) {
	given := Frame(0)
	for _, p := range m.local {
		given = max(given, m.inputs.Next(p))
	}
	m.match.Leave(reason, why, m.facts(), given, m.lead(), m.playersWhere(func(l *link) bool { return l.state == connected }) != 0)
	m.carryOutOrders()
}

// sendLeaves notifies all peers that we leave.
func (m *members) sendLeaves(reason string, resigns bool) {
	for _, l := range m.links {
		if l.state == connected {
			m.sendLeave(l, reason, resigns)
		}
	}
}

// receiveLeave handles the message of a peer that leaves.
func (m *members) receiveLeave(l *link, number uint32, b []byte) error {
	fixed := 4 * len(l.List)
	if len(b) < fixed {
		return datagram.ErrShort
	}
	if l.state != connected {
		return nil
	}
	if l.notBothMembers && m.lateJoin.observing() {
		l.state = gone // the member list says who plays
		return nil
	}
	l.why, l.said = cut(string(b[fixed:])), true
	switch {
	case !m.logged():
		l.state = leaving
		m.events.Add(Event{What: Left, Players: l.players, Text: l.why})
		m.continueWithout(l, "it left: "+l.why)
	case number != m.match.Number() || Frame(le.Uint32(b)) != NoFrame: // it does not wait for its log entry
		m.match.Log().MarkGone(l.players)
		l.state = gone
	}
	return nil
}

// handleLoss handles the consequences of the loss of a peer.
func (m *members) handleLoss(x loss) {
	l := x.link
	switch {
	case m.newcomerOf(l) != nil || l.notBothMembers && m.lateJoin.observing():
		return // no decision of the log is needed: one of us is not in the match
	case m.phase == Over: // the session has failed since; tell this peer that it was given up
		l.state = x.was
		m.loseAndTell(l, x.why)
		return
	case m.logged():
		l.why = x.why
		m.match.Log().MarkGone(l.players)
		return
	case x.was != leaving:
		m.events.Add(Event{What: Lost, Players: l.players, Text: x.why})
	}
	l.state = x.was
	m.loseAndTell(l, x.why)
	m.continueWithout(l, x.why)
}

// continueWithout continues without a peer that went while no match was running, or ends the session. With OnLeave
// Continue the others play the next match without it, if there is a host to propose one, or if that match is about
// to begin.
func (m *members) continueWithout(l *link, why string) {
	if !m.match.End().Stays() {
		return // we are leaving for a reason of our own
	}
	begins := m.phase == Starting && m.lobby.Stage() >= lobby.Ready
	if !m.cfg.continues() || m.phase == Connecting || l.players.Has(0) && !begins {
		e := &LostError{Players: l.players, Why: why, Restarted: restarted(&m.peers) & l.players}
		if _, known := m.match.End().Outcome(); known && l.said && m.phase == Lobby {
			e.Why, e.Left = aloneAfter, true // as if it had gone before we entered the lobby
		}
		m.fail(e)
		return
	}
	l.state = gone
	if m.match.Log() != nil && m.lobby.Stage() >= lobby.Accepted {
		m.match.Log().MarkGone(l.players)
	}
}

// handleLosses handles what was noted during this call: peers that were given up, and the end of the session. Nearly
// always that is nothing, so the check is apart, where it is inlined.
func (m *members) handleLosses() {
	if len(m.losses) > 0 || m.justFailed {
		m.handleNoted()
	}
}

func (m *members) handleNoted() {
	for x, ok := m.nextLoss(); ok; x, ok = m.nextLoss() {
		m.handleLoss(x)
	}
	if !m.takeFailure() {
		return
	}
	m.enterOver(m.err)
	m.linger()
	m.eager(true)
	for _, l := range m.links {
		if l.state == connected {
			m.sendGoodbye(l)
		}
	}
}
