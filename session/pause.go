package session

import (
	"github.com/tickback/tickback/session/membership"
)

// Pause asks for the match to be paused, from a frame that all peers agree on: the event Paused reports it. Each
// machine can ask [membership.MaxPauses] times per match. The match continues when any machine calls
// [Machine.Unpause], or after Config.MaxPause. Errors: [ErrPhase], [*membership.WishError].
func (m *Machine) Pause() error {
	defer m.handleLosses()
	return m.want(membership.Pause)
}

// Unpause asks for a paused match to continue. Any machine may call it. A pause that this machine has asked for,
// and that is not decided yet, is withdrawn; if it takes effect anyway, it ends at once.
func (m *Machine) Unpause() error {
	defer m.handleLosses()
	return m.want(membership.Resume)
}

// Paused returns the first paused frame, and whether the match is paused.
func (m *Machine) Paused() (at Frame, paused bool) {
	return m.match.pausedAt, m.match.pausedAt != NoFrame
}

// want asks for a pause or for its end.
func (m *members) want(kind membership.Kind) error {
	err := m.ask(kind, m.facts())
	m.carryOutOrders()
	m.pollLog()
	return err
}

// pauseAsked says whether we have asked for a pause.
type pauseAsked struct {
	pending bool // it is not decided yet
	back    bool // it has been withdrawn since
}

// stands reports whether frame f has to wait for the end of a pause.
func (t *match) stands(f Frame) bool { return f >= t.pausedAt }
