package session

import (
	"fmt"

	"github.com/tickback/tickback/session/membership"
)

// Pause asks for the match to be paused, from a frame on that all agree on: an event
// Paused says which. Each machine can ask [membership.MaxPauses] times in a match. The match
// continues when any machine calls [Machine.Unpause], or after Config.MaxPause. Errors:
// [ErrPhase], [*membership.WishError].
func (m *Machine) Pause() error { return m.ask(membership.Pause) }

// Unpause asks for a paused match to continue. Any machine may. A pause that this machine
// has asked for, and that is not decided yet, is taken back; if it is decided all the same, it
// ends at once.
func (m *Machine) Unpause() error { return m.ask(membership.Resume) }

// Paused returns from which frame on the match is paused, and whether it is.
func (m *Machine) Paused() (at Frame, paused bool) {
	return m.match.pausedAt, m.match.pausedAt != NoFrame
}

// ask asks the log; without peers it decides.
func (m *Machine) ask(kind membership.Kind) error {
	if m.phase != Playing {
		return fmt.Errorf("%w: only a match that is played stands still", ErrPhase)
	}
	_, paused := m.Paused()
	asked := &m.match.pauseAsked
	switch {
	case !paused && kind == membership.Resume && asked.pending:
		asked.back = true
		m.core.Withdraw(membership.Pause)
		return nil
	case paused == (kind == membership.Pause):
		return nil
	case m.core == nil:
		m.enact(&membership.Entry{Kind: kind, Players: m.cfg.Local, Frame: m.frame})
		return nil
	}
	err := m.core.Ask(membership.Wish{Kind: kind, Players: m.cfg.Local})
	*asked = pauseAsked{pending: err == nil && kind == membership.Pause}
	m.tend()
	return err
}

// pauseAsked says whether we have asked for a pause.
type pauseAsked struct {
	pending bool // it is not decided yet
	back    bool // it was taken back since
}

// pause begins a pause that some players have asked for.
func (m *Machine) pause(by PlayerSet, at Frame) {
	t := &m.match
	t.pausedAt, t.pausedSince = at, m.now
	m.events.Add(Event{What: Paused, Players: by, Frame: at})
	if t.pauseAsked.back && by == m.cfg.Local {
		_ = m.core.Ask(membership.Wish{Kind: membership.Resume, Players: by}) // else MaxPause ends it
	}
	t.pauseAsked = pauseAsked{}
}

// stands reports whether frame f waits for the end of a pause.
func (t *match) stands(f Frame) bool { return f >= t.pausedAt }

// unpause ends a pause.
func (m *Machine) unpause(by PlayerSet) {
	t := &m.match
	m.events.Add(Event{What: Unpaused, Players: by, Frame: t.pausedAt, For: m.now - t.pausedSince})
	t.pausedAt = NoFrame
	t.schedule.SetNext(max(t.schedule.Next(), m.now))
}

// endPause asks for the end of a pause that has lasted too long.
func (m *Machine) endPause() {
	if at, paused := m.Paused(); !paused || m.phase != Playing || m.frame < at || m.now-m.match.pausedSince <= m.cfg.MaxPause {
		return
	}
	if m.core == nil {
		_ = m.Unpause() // it is decided here
		return
	}
	_ = m.core.Ask(membership.Wish{Kind: membership.Resume, Players: m.cfg.Local})
}
