package session

import (
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/match"
	"github.com/tickback/tickback/wire/datagram"
)

// A kicked player knows the token of the match, as all players do. So a kick revokes the token at all machines: the
// host tells all others, and each of them tells all others when it first hears of it, so that it works even if the
// host goes at the same moment. Then nobody can join, from any address, until there is a new token (SetToken).

// revoke revokes the token that is valid here, and tells all peers which token that is.
func (m *admitting) revoke(kicked PlayerSet) {
	tag := uint64(0)
	if m.audience != nil {
		tag = m.audience.Invitation().Tag()
	}
	m.revokeTag(kicked, tag)
}

// receiveRevoke handles the message that a player was kicked. It is ignored if the sender was kicked itself:
// otherwise it could revoke every later token.
func (m *admitting) receiveRevoke(l *link, b []byte) error {
	kicked, b, err := m.cfg.consumeSet(b)
	if err != nil {
		return err
	}
	if len(b) != 8 {
		return datagram.ErrShort
	}
	if m.match.Revoked(l.players) {
		return nil
	}
	m.revokeTag(kicked, le.Uint64(b))
	return nil
}

// revokeTag revokes the token with this tag, or the valid one if the tag is 0, and tells all peers, once for each
// kicked player. The message comes from every peer, and may come after another token was set, which it does not
// revoke.
func (m *admitting) revokeTag(kicked PlayerSet, tag uint64) {
	if kicked = m.match.Revoke(kicked); kicked == 0 {
		return
	}
	if !m.lateJoin.observing() {
		m.tell(le.AppendUint64(m.cfg.appendSet(m.begins(messageRevoke), kicked), tag), kicked)
	}
	if m.audience == nil || m.audience.Invitation().Replaced(tag) {
		return
	}
	m.audience.Revoke()
	for _, c := range m.newcomers {
		m.match.Log().Unready(c.players)
		// Other members may be ready for it, so that it joins anyway: then it needs our link.
		c.revoked, c.revokedAt = true, m.now
	}
	m.events.Add(Event{What: Revoked})
}

// SetToken sets the token with which newcomers can join at this machine from now on, of [admission.MinToken] to
// [admission.MaxToken] bytes. It replaces the previous token, even one that a kick has revoked. All machines that
// admit newcomers should have the same token. On a machine that had no token in its configuration the error is
// [ErrPhase].
func (m *Machine) SetToken(token []byte) error {
	defer m.handleLosses()
	if err := admission.CheckToken(token); err != nil {
		return err
	}
	if m.audience == nil || m.cfg.Token == nil {
		return match.PhaseError("this machine lets nobody in: it had no token from the beginning")
	}
	m.audience.Invitation().Invite(token)
	return nil
}
