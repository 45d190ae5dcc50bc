package match

import (
	"time"

	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/membership"
)

// pause is a pause of the current match.
type pause struct {
	at    Frame // frames from this one on do not run; NoFrame: there is no pause
	since time.Duration
	asked asked
}

// asked says whether we have asked for a pause.
type asked struct {
	pending bool // it is not decided yet
	back    bool // it has been withdrawn since
}

// Paused returns the first paused frame, and whether the match is paused.
func (m *Match) Paused() (at Frame, paused bool) { return m.pause.at, m.pause.at != NoFrame }

// Stands reports whether frame f has to wait for the end of a pause.
func (m *Match) Stands(f Frame) bool { return f >= m.pause.at }

// Ask asks the log for a pause or for its end; without peers that is decided here. Errors: [ErrPhase],
// [*membership.WishError].
func (m *Match) Ask(kind membership.Kind, f Facts) error {
	if f.Phase != Playing {
		return PhaseError("only a match that is played stands still")
	}
	paused := m.pause.at != NoFrame
	wish := &m.pause.asked
	switch {
	case !paused && kind == membership.Resume && wish.pending && m.log != nil:
		wish.back = true
		m.log.Withdraw(membership.Pause)
		return nil
	case paused == (kind == membership.Pause):
		return nil
	case m.log == nil:
		m.Apply(&membership.Entry{Kind: kind, Players: m.rules.Local, Frame: f.Frame}, f)
		return nil
	}
	err := m.log.Ask(membership.Wish{Kind: kind, Players: m.rules.Local})
	*wish = asked{pending: err == nil && kind == membership.Pause}
	return err
}

// Pause begins a pause that the given players asked for.
func (m *Match) Pause(by PlayerSet, at Frame, f Facts) {
	t := &m.pause
	t.at, t.since = at, f.Now
	m.order(Order{Kind: DoEmit, What: event.Paused, Players: by, Frame: at})
	if t.asked.back && by == m.rules.Local && m.log != nil {
		_ = m.log.Ask(membership.Wish{Kind: membership.Resume, Players: by}) // else MaxPause ends it
	}
	t.asked = asked{}
}

// unpause ends a pause.
func (m *Match) unpause(by PlayerSet, f Facts) {
	t := &m.pause
	m.order(Order{Kind: DoEmit, What: event.Unpaused, Players: by, Frame: t.at, Lasted: f.Now - t.since})
	t.at = NoFrame
	m.order(Order{Kind: DoResume})
}

// Calm reports whether there is no pause, no kicked player, no lack of a majority, and no order to carry out: then neither
// [Match.EndPause] nor [Match.RemoveKicked] has anything to do, nor has [Match.Quorum] while the log is quiet.
func (m *Match) Calm() bool {
	return m.pause.at == NoFrame && m.kicked.players == 0 && m.frozen == 0 && m.taken == len(m.orders)
}

// EndPause asks the log to end a pause that has lasted too long.
func (m *Match) EndPause(f Facts) {
	t := &m.pause
	if t.at == NoFrame || f.Phase != Playing || f.Frame < t.at || f.Now-t.since <= m.rules.MaxPause {
		return
	}
	if m.log == nil {
		_ = m.Ask(membership.Resume, f) // it is decided here
		return
	}
	_ = m.log.Ask(membership.Wish{Kind: membership.Resume, Players: m.rules.Local})
}
