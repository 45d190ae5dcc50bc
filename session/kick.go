package session

import (
	"github.com/tickback/tickback/wire/datagram"
)

// Kick kicks all players of one or several machines. Only the host can, and only during a match. A peer that
// follows the protocol then leaves by itself, so that nobody has to wait; any other peer is removed by the rest two
// seconds later. Errors: [ErrNotHost], [ErrPhase], [*membership.WishError].
func (m *Machine) Kick(players PlayerSet, reason string) error {
	defer m.handleLosses()
	if err := m.match.Kick(players, reason, m.facts()); err != nil {
		return err
	}
	m.carryOutOrders()
	m.pollLog()
	return nil
}

// sendKick sends a kick message to players.
func (m *members) sendKick(players PlayerSet, reason string) {
	for _, l := range m.links {
		if l.players&players != 0 && l.state == connected {
			l.why = "kicked: " + cut(reason)
			m.post(l, append(m.begins(messageKick), cut(reason)...))
		}
	}
}

// receiveKick handles the message that kicks us. Only the host may send it.
func (m *members) receiveKick(l *link, reason string) error {
	if !l.players.Has(0) {
		return datagram.ErrKind
	}
	if !m.match.KickedOut(m.facts()) || l.state != connected || !m.ours(l) {
		return nil
	}
	m.startLeaving("kicked: "+reason, &RemovedError{Frame: m.frame, Kicked: true, Reason: reason})
	return nil
}
