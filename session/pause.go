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
	return m.match.Paused()
}

// want asks for a pause or for its end.
func (m *members) want(kind membership.Kind) error {
	err := m.match.Ask(kind, m.facts())
	m.carryOutOrders()
	m.pollLog()
	return err
}
