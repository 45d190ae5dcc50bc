package session

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/rollback"
)

// pathFrames returns how many tick periods inputs take to reach the peer: half a round trip plus its deviation,
// rounded up.
func (l *link) pathFrames(nominal time.Duration) int {
	way := l.RoundTrip.Smoothed/2 + l.RoundTrip.Deviation
	return int((way + nominal - 1) / nominal)
}

// tellSlow emits an event when the match has become slow, with the players it waits for and the cause.
func (m *play) tellSlow() {
	players, lost, within := m.pacing.stalls.Slow(m.now, m.nominal)
	if players == 0 {
		return
	}
	if players &= m.notGone(); players == 0 {
		return // it waited for players that are not in the match any more
	}
	var far *link
	for _, l := range m.links {
		if l.players&players != 0 && (far == nil || l.pathFrames(m.nominal) > far.pathFrames(m.nominal)) {
			far = l
		}
	}
	m.events.Add(Event{What: Slowed, Players: players, For: lost, Text: fmt.Sprintf("in %v: %s", within.Round(100*time.Millisecond), m.slowSince(far))})
}

// slowSince returns why the match waits for a peer.
func (m *play) slowSince(l *link) string {
	delay := rollback.MaxDelay
	for _, p := range m.local {
		_, d := m.sim.Delay(p)
		delay = min(delay, d)
	}
	trip := l.RoundTrip.Smoothed.Round(time.Millisecond)
	switch need := l.pathFrames(m.nominal) - delay; {
	case need <= m.cfg.Window:
		return "inputs come late, though the path is short enough: a machine or a network is too slow"
	case m.cfg.Lockstep:
		return fmt.Sprintf("a round trip of %v takes an input delay of %d frames here, and it is %d", trip, need+delay, delay)
	case need > rollback.MaxWindow:
		return fmt.Sprintf("a round trip of %v takes a Window of %d frames, and %d is the largest: use a lower TickRate", trip, need, rollback.MaxWindow)
	default:
		return fmt.Sprintf("a round trip of %v takes a Window of %d frames here, and it is %d", trip, need, m.cfg.Window)
	}
}
