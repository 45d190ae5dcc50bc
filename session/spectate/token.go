package spectate

import "time"

// whyRevoked is the reason given to newcomers with a revoked token.
const whyRevoked = "the token was revoked, since somebody was sent away"

// RevokedFor is how long newcomers that have not joined when their token is revoked are
// still served. The join of one may be decided already. That is not taken back, and the
// newcomer still needs the rest of the match.
const RevokedFor = time.Second

// Revoke revokes the token. Newcomers that came with it and have not joined are no longer
// among [Audience.Seats], and lose their seats after [RevokedFor]. No newcomer gets a seat
// until there is another token.
func (a *Audience) Revoke() {
	if !a.invitation.Revoke() {
		return
	}
	for _, g := range a.guests {
		if g.seated() && !g.bye && !g.revoked {
			g.revoked, g.revokedAt = true, a.now
		}
	}
}

// expire sends away a newcomer whose token was revoked, unless it has joined.
func (a *Audience) expire(g *guest) {
	switch {
	case !g.revoked || g.bye:
	case a.source.Joined(g.seat.Players, g.seat.ID):
		g.revoked = false
	case a.now-g.revokedAt >= RevokedFor:
		a.sendAway(g, messageRevoked, whyRevoked)
	}
}

// Invite makes this token the good one; see [admission.Invitation.Invite].
func (a *Audience) Invite(token []byte) { a.invitation.Invite(token) }

// Invites reports whether there is a token that is good.
func (a *Audience) Invites() bool { return a.invitation.Good() }

// Tag returns a number that identifies the token; see [admission.Invitation.Tag].
func (a *Audience) Tag() uint64 { return a.invitation.Tag() }

// Replaced reports whether Invite has replaced the token with this tag.
func (a *Audience) Replaced(tag uint64) bool { return a.invitation.Replaced(tag) }

// RevokedError is a host's answer to a newcomer that asks for a seat with a revoked token.
type RevokedError struct{ Reason string }

// Error gives the host's reason.
func (e *RevokedError) Error() string { return "it says: " + e.Reason }
