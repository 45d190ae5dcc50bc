package session

import (
	"fmt"

	"github.com/tickback/tickback/session/membership"
)

// Pause asks for the match to stand still, from a frame on that all agree on: an event
// Paused says which. Each machine can ask [membership.MaxPauses] times in a match; it
// goes on when somebody calls [Machine.Unpause], or after Config.MaxPause. Errors:
// [ErrPhase], [*membership.WishError].
func (m *Machine) Pause() error { return m.ask(membership.Pause) }

// Unpause asks for a match that is paused to go on. Anybody may.
func (m *Machine) Unpause() error { return m.ask(membership.Resume) }

// Paused returns from which frame on the match stands still, and whether it does.
func (m *Machine) Paused() (at Frame, paused bool) {
	return m.match.pausedAt, m.match.pausedAt != NoFrame
}

// ask asks the log, or decides what concerns nobody else.
func (m *Machine) ask(kind membership.Kind) error {
	if m.phase != Playing {
		return fmt.Errorf("%w: only a match that is played stands still", ErrPhase)
	}
	_, paused := m.Paused()
	switch {
	case paused == (kind == membership.Pause):
		return nil
	case m.core == nil:
		m.enact(&membership.Entry{Kind: kind, Players: m.cfg.Local, Frame: m.frame})
		return nil
	}
	err := m.core.Ask(membership.Wish{Kind: kind, Players: m.cfg.Local})
	m.tend()
	return err
}

// stands reports whether frame f waits for the end of a pause.
func (t *match) stands(f Frame) bool { return f >= t.pausedAt }

// unpause goes on after a pause.
func (m *Machine) unpause(by PlayerSet) {
	t := &m.match
	m.events.add(Event{What: Unpaused, Players: by, Frame: t.pausedAt, For: m.now - t.pausedSince})
	t.pausedAt = NoFrame
	t.nextSlot = max(t.nextSlot, m.now)
}

// endPause ends one that has lasted long enough.
func (m *Machine) endPause() {
	if at, paused := m.Paused(); !paused || m.phase != Playing || m.frame < at || m.now-m.match.pausedSince <= m.cfg.MaxPause {
		return
	}
	if m.core == nil {
		_ = m.Unpause() // nobody else is concerned
		return
	}
	_ = m.core.Ask(membership.Wish{Kind: membership.Resume, Players: m.cfg.Local})
}
