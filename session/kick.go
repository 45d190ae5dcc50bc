package session

import (
	"time"

	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/wire/datagram"
)

// Kick sends away all players of one or several machines. Only the host can, while a match
// is played. A peer that follows the protocol then leaves by itself, so that nobody has to
// wait; any other peer is taken out by the rest two seconds later. Errors: [ErrNotHost],
// [ErrPhase], [*membership.WishError].
func (m *Machine) Kick(players PlayerSet, reason string) error {
	switch {
	case !m.cfg.host():
		return ErrNotHost
	case !m.logged() || !m.cfg.continues() || m.phase != Playing || !m.core.Member():
		return phaseError("players are kicked from a match that goes on without them, by the host who is in it")
	}
	if s := m.core.State(); players == 0 || s.Whole(players) != players || players&m.cfg.Local != 0 {
		wish := membership.Wish{Kind: membership.Kick, Players: players}
		return &membership.WishError{Wish: wish, Why: "they are not all players of other machines of the match"}
	}
	m.match.kicked |= players
	m.match.kickedAt = m.now
	m.revoke(players)
	for _, l := range m.links {
		if l.players&players != 0 && l.state == connected {
			l.why = "kicked: " + cut(reason)
			m.post(l, append(m.begins(messageKick), cut(reason)...))
		}
	}
	m.tend()
	return nil
}

// kickGrace is how long a peer that was kicked has to leave by itself.
const kickGrace = 2 * time.Second

// insist asks the log to take out peers that were kicked and have not left.
func (m *Machine) insist() {
	t := &m.match
	if t.kicked == 0 {
		return
	}
	if t.kicked &= m.core.State().All(); t.kicked == 0 || m.now < t.kickedAt+kickGrace {
		return
	}
	_ = m.core.Ask(membership.Wish{Kind: membership.Kick, Players: t.kicked}) // refused if they have gone
	t.kicked = 0
}

// receiveKick takes the message that kicks us. Only the host can send it.
func (m *Machine) receiveKick(l *link, reason string) error {
	if !l.players.Has(0) {
		return datagram.ErrKind
	}
	if !m.logged() || !m.cfg.continues() || m.phase != Playing || m.end.departure != staying || l.state != connected || !m.ours(l) {
		return nil
	}
	m.leave("kicked: "+reason, &RemovedError{Frame: m.frame, Kicked: true, Reason: reason})
	return nil
}
