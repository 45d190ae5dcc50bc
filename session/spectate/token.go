package spectate

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// A token can be revoked: whoever proves that it knows one that was good once is told that
// it is no more, and is no nearer to a seat for it.

// maxRevoked is how many revoked tokens are remembered, the newest.
const maxRevoked = 8

// invitation is the token that is good, and those that were.
type invitation struct {
	token    []byte   // or nil: nobody is let in
	revoked  [][]byte // tokens that were good once,
	replaced []uint64 // and the tags of those that others have replaced
}

// whyRevoked is what those are told who ask with a revoked token.
const whyRevoked = "the token was revoked, since somebody was sent away"

// RevokedFor is how long newcomers who have not joined when their token is revoked are
// still served. That one joins may be decided already, and is not taken back; then it needs
// what it lacks.
const RevokedFor = time.Second

// Revoke revokes the token: those who have asked for a seat with it, and have not joined,
// are no longer among [Audience.Seats], and lose theirs after [RevokedFor]. Nobody gets one
// until there is another token.
func (a *Audience) Revoke() {
	if !a.invitation.revoke() {
		return
	}
	for _, g := range a.guests {
		if g.seated() && !g.bye && !g.revoked {
			g.revoked, g.revokedAt = true, a.now
		}
	}
}

// expire sends a newcomer away whose token was revoked, unless it has joined.
func (a *Audience) expire(g *guest) {
	switch {
	case !g.revoked || g.bye:
	case a.source.Joined(g.seat.Players, g.seat.ID):
		g.revoked = false
	case a.now-g.revokedAt >= RevokedFor:
		a.sendAway(g, messageRevoked, whyRevoked)
	}
}

// Invite makes a token good, also one that was revoked; [CheckToken] takes it. It takes
// the place of the one before.
func (a *Audience) Invite(token []byte) { a.invitation.invite(token) }

// Invites reports whether there is a token that is good.
func (a *Audience) Invites() bool { return a.invitation.good() }

// Tag returns a number that names the token that is good to those who know it. If none is
// good, it names the one that was revoked last; 0 if there never was a token.
func (a *Audience) Tag() uint64 { return a.invitation.tag() }

// Replaced reports whether Invite has put another token in the place of the one with this
// tag.
func (a *Audience) Replaced(tag uint64) bool { return slices.Contains(a.invitation.replaced, tag) }

// revoke reports whether there was a token to revoke.
func (i *invitation) revoke() bool {
	if !i.good() {
		return false
	}
	if i.revoked = append(i.revoked, i.token); len(i.revoked) > maxRevoked {
		i.revoked = i.revoked[1:]
	}
	i.token = nil
	return true
}

func (i *invitation) invite(token []byte) {
	if tag := i.tag(); tag != 0 {
		if i.replaced = append(i.replaced, tag); len(i.replaced) > maxRevoked {
			i.replaced = i.replaced[1:]
		}
	}
	i.token = slices.Clone(token)
	i.replaced = slices.DeleteFunc(i.replaced, func(tag uint64) bool { return tag == i.tag() })
	i.revoked = slices.DeleteFunc(i.revoked, func(t []byte) bool { return bytes.Equal(t, token) })
}

func (i *invitation) good() bool { return len(i.token) > 0 }

func (i *invitation) tag() uint64 {
	token := i.token
	switch {
	case i.good():
	case len(i.revoked) > 0:
		token = i.revoked[len(i.revoked)-1]
	default:
		return 0
	}
	mac := hmac.New(sha256.New, token)
	mac.Write([]byte("tickback token"))
	return max(le.Uint64(mac.Sum(nil)), 1)
}

// knowsRevoked reports whether a peer that attaches knows a token that was revoked.
func (i *invitation) knowsRevoked(h *datagram.Attach, ours uint64) bool {
	return slices.ContainsFunc(i.revoked, func(t []byte) bool { return h.Proves(t, ours) })
}

// RevokedError is what a host says to a newcomer that asks for a seat with a token that was
// good once.
type RevokedError struct{ Reason string }

// Error gives the host's reason.
func (e *RevokedError) Error() string { return "it says: " + e.Reason }
