package session

import (
	"github.com/tickback/tickback/session/membership"
)

// Pause asks for the match to be paused, from a frame on that all agree on: an event
// Paused says which. Each machine can ask [membership.MaxPauses] times in a match. The match
// continues when any machine calls [Machine.Unpause], or after Config.MaxPause. Errors:
// [ErrPhase], [*membership.WishError].
func (m *Machine) Pause() error {
	defer m.handleLosses()
	return m.want(membership.Pause)
}

// Unpause asks for a paused match to continue. Any machine may. A pause that this machine
// has asked for, and that is not decided yet, is taken back; if it is decided all the same, it
// ends at once.
func (m *Machine) Unpause() error {
	defer m.handleLosses()
	return m.want(membership.Resume)
}

// Paused returns from which frame on the match is paused, and whether it is.
func (m *Machine) Paused() (at Frame, paused bool) {
	return m.match.pausedAt, m.match.pausedAt != NoFrame
}

// want asks for a pause, or its end.
func (m *members) want(kind membership.Kind) error {
	err := m.ask(kind, m.facts())
	m.carryOutOrders()
	m.pollLog()
	return err
}

// pauseAsked says whether we have asked for a pause.
type pauseAsked struct {
	pending bool // it is not decided yet
	back    bool // it was taken back since
}

// stands reports whether frame f waits for the end of a pause.
func (t *match) stands(f Frame) bool { return f >= t.pausedAt }
