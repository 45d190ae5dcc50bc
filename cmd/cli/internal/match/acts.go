package match

import (
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/live"
	"github.com/tickback/tickback/cmd/cli/internal/words"
)

// acts has the actions of a player besides the input, which come from flags or from the key P.
type acts struct {
	pauseAt  *tickback.Frame // nil: never, or already done
	pauseFor tickback.Frame
	kickAt   *tickback.Frame
	kick     tickback.Player
	until    time.Time // the end of the pause of a flag; zero if there is none
	held     bool      // the key P is held
}

// actor is what acts needs from a match.
type actor interface {
	Pause() error
	Unpause() error
	Paused() (at tickback.Frame, paused bool)
	Kick(players tickback.PlayerSet, reason string) error
}

// act carries out the actions that are due at a frame, and reports failures.
func (a *acts) act(m actor, at tickback.Frame, now time.Time, period time.Duration, l *live.Log) {
	if a.pauseAt != nil && at >= *a.pauseAt {
		a.pauseAt = nil
		l.Failed("cannot pause", m.Pause())
	}
	from, paused := m.Paused()
	switch {
	case a.pauseFor == 0 || !paused || at < from:
	case a.until.IsZero():
		a.until = now.Add(time.Duration(a.pauseFor) * period)
	case now.After(a.until):
		a.pauseFor, a.until = 0, time.Time{}
		l.Failed("cannot go on", m.Unpause())
	}
	if a.kickAt != nil && at >= *a.kickAt {
		a.kickAt = nil
		l.Failed("cannot kick "+words.People(tickback.SetOf(a.kick)), m.Kick(tickback.SetOf(a.kick), "as --kick-at says"))
	}
}

// key handles the state of the key P: each time that it is pressed, the match pauses or resumes.
func (a *acts) key(m actor, held bool, l *live.Log) {
	down := held && !a.held
	if a.held = held; !down {
		return
	}
	if _, paused := m.Paused(); paused {
		l.Failed("cannot go on", m.Unpause())
		return
	}
	l.Failed("cannot pause", m.Pause())
}
