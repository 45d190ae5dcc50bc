package match

import (
	"time"

	"github.com/tickback/tickback/session/membership"
)

// kicked are the players whom the host has kicked from the current match.
type kicked struct {
	players PlayerSet // still present
	at      time.Duration
	revoked PlayerSet // whose place has not been taken since, and whose token is revoked
}

// kickGrace is how long a kicked peer has to leave by itself.
const kickGrace = 2 * time.Second

// Kick kicks all players of one or several machines. Errors: [ErrNotHost], [ErrPhase], [*membership.WishError].
func (m *Match) Kick(players PlayerSet, reason string, f Facts) error {
	switch {
	case !m.rules.Local.Has(0):
		return ErrNotHost
	case !m.Decides(f) || !m.rules.Continues || f.Phase != Playing || !m.log.Member():
		return PhaseError("players are kicked from a match that goes on without them, by the host who is in it")
	}
	if s := m.log.State(); players == 0 || s.Whole(players) != players || players&m.rules.Local != 0 {
		wish := membership.Wish{Kind: membership.Kick, Players: players}
		return &membership.WishError{Wish: wish, Why: "they are not all players of other machines of the match"}
	}
	m.kicked.players |= players
	m.kicked.at = f.Now
	m.order(Order{Kind: DoRevoke, Players: players})
	m.order(Order{Kind: DoSendKick, Players: players, Text: reason})
	return nil
}

// KickedOut reports whether a kick message of the host applies to us.
func (m *Match) KickedOut(f Facts) bool {
	return m.Decides(f) && m.rules.Continues && f.Phase == Playing && m.end.leaving == Staying
}

// RemoveKicked asks the log to remove kicked peers that have not left.
func (m *Match) RemoveKicked(f Facts) {
	k := &m.kicked
	if k.players == 0 {
		return
	}
	if k.players &= m.log.State().All(); k.players == 0 || f.Now < k.at+kickGrace {
		return
	}
	_ = m.log.Ask(membership.Wish{Kind: membership.Kick, Players: k.players}) // refused if they have gone
	k.players = 0
}

// Revoked reports whether the token of one of these players was revoked, and nobody has taken the place since.
func (m *Match) Revoked(players PlayerSet) bool { return m.kicked.revoked&players != 0 }

// Revoke notes that the token of kicked players is no longer valid, and returns the players for which that is
// news.
func (m *Match) Revoke(players PlayerSet) (news PlayerSet) {
	news = players &^ m.kicked.revoked
	m.kicked.revoked |= news
	return news
}
