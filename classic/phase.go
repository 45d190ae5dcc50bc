package classic

import (
	"errors"
	"fmt"
	"time"
)

// Phase is the stage of a match. Phases only go forward; the joiner has all except Waiting, and the host has neither
// Greeting nor Starting.
type Phase uint8

// The phases.
const (
	Greeting  Phase = iota // the joiner sends HELLO and has not received ACK
	Waiting                // the host waits for a joiner
	Starting               // the joiner sends START and has not received inputs
	Playing                // frames are running
	Lingering              // all inputs are here and acknowledged; packets continue for a second, to inform the other side
	Over                   // nothing is sent any more
	Failed                 // nothing is sent any more; Err returns the reason
)

var phaseNames = [...]string{"greeting", "waiting", "starting", "playing", "lingering", "over", "failed"}

// String names the phase in lower case.
func (p Phase) String() string {
	if int(p) < len(phaseNames) {
		return phaseNames[p]
	}
	return "unknown"
}

// live reports whether tick periods pass.
func (p Phase) live() bool { return p == Playing || p == Lingering }

// ended reports whether the match has ended, so that nothing more happens.
func (p Phase) ended() bool { return p >= Over }

var (
	// ErrNobody means that a match did not begin: nobody answered, or joined.
	ErrNobody = errors.New("nobody is there")
	// ErrLost means that the other side has sent nothing new for too long.
	ErrLost = errors.New("the other side is lost")
)

// becomeStarting begins the phase Starting: the host has answered.
func (m *Match[S, I]) becomeStarting() {
	m.phase = Starting
	m.wait.restart()
}

// becomePlaying begins the phase Playing: both sides are there, and the first tick is due.
func (m *Match[S, I]) becomePlaying(now time.Duration) {
	m.phase = Playing
	m.wait.restart()
	m.schedule.restart(now)
}

// becomeLingering begins the phase Lingering: everything is here and acknowledged. The result is final.
func (m *Match[S, I]) becomeLingering(now time.Duration) {
	m.phase, m.until = Lingering, now+linger
}

func (m *Match[S, I]) becomeOver() { m.phase = Over }

func (m *Match[S, I]) becomeFailed(err error) {
	m.phase, m.err = Failed, fmt.Errorf("classic: %w", err)
}

// expire ends a match that has waited for too long, and reports whether it has done so.
func (m *Match[S, I]) expire() bool {
	waited := m.wait.lasted()
	switch m.phase {
	case Greeting, Waiting, Starting:
		if waited >= m.cfg.Handshake {
			m.becomeFailed(fmt.Errorf("%w: %s for %v", ErrNobody, m.phase, waited))
		}
	case Playing:
		if waited >= m.cfg.Silence {
			m.becomeFailed(m.lost(waited))
		}
	}
	return m.phase == Failed
}

func (m *Match[S, I]) lost(waited time.Duration) error {
	if m.complete() && m.conclude() == nil {
		return fmt.Errorf("%w: the result is known, but for %v it has not acknowledged the last %d inputs", ErrLost, waited, m.unacknowledged())
	}
	return fmt.Errorf("%w: nothing new since frame %d for %v", ErrLost, m.engine.Next(m.remote), waited)
}
