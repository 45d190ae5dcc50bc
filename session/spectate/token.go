package spectate

import (
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/wire/datagram"
)

// RevokedFor is the minimum time for which newcomers that have not joined when their token is revoked are still
// served. The decision that one joins may have been made already, or may be under way. It is not withdrawn, and the
// newcomer still needs the rest of the match.
const RevokedFor = time.Second

// Revoke revokes the token. Newcomers that came with it and have not joined are no longer among [Host.Newcomers],
// and are dismissed after [RevokedFor], or later if they may still join. No newcomer gets a place until there is
// another token.
func (a *Host) Revoke() {
	if !a.invitation.Revoke() {
		return
	}
	for _, g := range a.spectators {
		if g.isNewcomer() && !g.bye && !g.revoked {
			g.revoked, g.revokedAt = true, a.now
		}
	}
}

// expire dismisses a newcomer whose token was revoked, unless it has joined.
func expire(a *Host, g *spectator) {
	switch {
	case !g.revoked || g.bye:
	case a.match.Joined(g.newcomer.Players, g.newcomer.ID):
		g.revoked = false
	case a.now-g.revokedAt >= RevokedFor && !a.match.MayJoin(g.newcomer.Players, g.newcomer.ID):
		a.sendAway(g, messageRevoked, admission.WhyRevoked)
	}
}

// SetToken makes this token the valid one; see [admission.Invitation.Invite].
func (a *Host) SetToken(token []byte) { a.invitation.Invite(token) }

// HasToken reports whether there is a valid token.
func (a *Host) HasToken() bool { return a.invitation.Good() }

// Tag returns a number that identifies the token; see [admission.Invitation.Tag].
func (a *Host) Tag() uint64 { return a.invitation.Tag() }

// Replaced reports whether SetToken has replaced the token with this tag.
func (a *Host) Replaced(tag uint64) bool { return a.invitation.Replaced(tag) }

// ShareInvitation makes the host use an invitation for players that the owner keeps: a machine that does not know
// its token may watch only with the token for spectators, or if everybody may.
func (a *Host) ShareInvitation(match *admission.Invitation) { a.invitation = match }

// checkToken returns whether a machine that wants to watch has proved that it may.
func checkToken(a *Host, h *datagram.Attach, ours uint64) admission.Verdict {
	switch {
	case a.cfg.Open, a.cfg.Token == nil && !a.invitation.Ever():
		return admission.Invited
	case a.cfg.Token != nil && h.Proves(a.cfg.Token, ours):
		return admission.Invited
	}
	return a.invitation.Judge(h, ours)
}

// tokenPatience is how long a host that does not know our token is asked again: it may be about to get that token,
// as the other hosts do.
const tokenPatience = 3 * time.Second

// errUninvited handles the host's message that our token is not valid there.
func errUninvited(v *Follower, reason []byte, revoked bool) {
	since := &v.search.tokenRefused[v.search.host]
	if *since == 0 {
		*since = max(v.now, 1)
	}
	token := v.cfg.Token
	if v.cfg.Join != nil {
		token = v.cfg.Join.Token
	}
	e := &admission.TokenError{Reason: string(reason[:min(len(reason), maxText)]), Revoked: revoked, Missing: token == nil}
	v.lose(e, revoked || token == nil || v.now-*since >= tokenPatience)
}
