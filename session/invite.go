package session

import (
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

// A player that is kicked knows the token of the match, as all players do. So a kick revokes
// the token, at all machines: the host tells all others, and each of them tells all others
// when it first hears of it, so that it holds even if the host goes at the same moment. Then
// nobody joins, by whatever name or address, until there is a new token (Invite).

// revoke revokes the token that is good here, and tells all others which one that is.
func (m *Machine) revoke(kicked PlayerSet) {
	if m.audience == nil {
		m.revokeThat(kicked, 0)
		return
	}
	m.revokeThat(kicked, m.audience.Tag())
}

// receiveRevoke is a peer that has heard of a kick. A peer that was sent away itself is not
// believed: it could revoke each token that is given out after it.
func (m *Machine) receiveRevoke(l *link, b []byte) error {
	if len(b) != 1+8 {
		return datagram.ErrShort
	}
	if l.players&m.match.revokedFor != 0 {
		return nil
	}
	m.revokeThat(PlayerSet(b[0])&m.everybody(), le.Uint64(b[1:]))
	return nil
}

// revokeThat revokes the token with this tag, or whichever is good if that is 0, and tells
// all others: once for all who were sent away. The news of it comes from each of the others,
// and may come after another token, which it does not revoke.
func (m *Machine) revokeThat(kicked PlayerSet, tag uint64) {
	if kicked &^= m.match.revokedFor; kicked == 0 {
		return
	}
	m.match.revokedFor |= kicked
	for _, l := range m.links {
		if l.state == connected && !l.aside && l.players&kicked == 0 {
			m.post(l, le.AppendUint64(append(m.begins(messageRevoke), byte(kicked)), tag))
		}
	}
	if m.audience == nil || m.audience.Replaced(tag) {
		return
	}
	m.audience.Revoke()
	for _, c := range m.candidates {
		m.core.Unready(c.players)
		// Others may be ready for it, and that it joins be decided: then it needs the way to us.
		c.revoked, c.revokedAt = true, m.now
	}
	m.events.add(Event{What: Revoked})
}

// Invite sets the token with which newcomers join at this machine from now on, of
// [spectate.MinToken] to [spectate.MaxToken] bytes. It replaces the one before, also one that
// a kick has revoked. All machines that let newcomers in should have the same. A machine that
// had no token in its configuration lets nobody in: [ErrPhase].
func (m *Machine) Invite(token []byte) error {
	if err := spectate.CheckToken(token); err != nil {
		return err
	}
	if m.audience == nil || m.cfg.Token == nil {
		return phaseError("this machine lets nobody in: it had no token from the beginning")
	}
	m.audience.Invite(token)
	return nil
}
