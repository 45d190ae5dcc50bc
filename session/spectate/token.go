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
	for _, g := range a.crowd.list {
		if g.feed.newcomer && !g.feed.bye && !g.revoked {
			g.revoked, g.revokedAt = true, a.now
		}
	}
}

// expire dismisses a newcomer whose token was revoked, unless it has joined.
func (a *Host) expire(g *spectator) {
	switch {
	case !g.revoked || g.feed.bye:
	case a.match.Joined(g.newcomer.Players, g.newcomer.ID):
		g.revoked = false
	case a.now-g.revokedAt >= RevokedFor && !a.match.MayJoin(g.newcomer.Players, g.newcomer.ID):
		a.dismiss(g, messageRevoked, admission.WhyRevoked)
	}
}

// Invitation returns the invitation to the match. Revoke its token with [Host.Revoke] only.
func (a *Host) Invitation() *admission.Invitation { return a.invitation }

// ShareInvitation makes the host use an invitation for players that the owner keeps: a machine that does not know
// its token may watch only with the token for spectators, or if everybody may.
func (a *Host) ShareInvitation(match *admission.Invitation) { a.invitation = match }

// checkToken returns whether a machine that wants to watch has proved that it may.
func (a *Host) checkToken(h *datagram.Attach, ours uint64) admission.Verdict {
	switch {
	case a.cfg.Open, a.cfg.Token == nil && !a.invitation.Ever():
		return admission.Invited
	case a.cfg.Token != nil && h.Proves(a.cfg.Token, ours):
		return admission.Invited
	}
	return a.invitation.Judge(h, ours)
}
