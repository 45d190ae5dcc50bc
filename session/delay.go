package session

import (
	"errors"
	"time"
)

const (
	// delayEvery is how often the delay is looked at, and delayDown how long a
	// shorter one must have been enough before it is taken.
	delayEvery = time.Second
	delayDown  = 5 // looks
)

// SetDelay changes the input delay of a local player, in frames from now on. What
// the player does is neither lost nor doubled by it.
func (m *Machine) SetDelay(p Player, frames int) error {
	if m.cfg.AutoDelay.On {
		return errors.New("session: AutoDelay chooses the delay")
	}
	return m.sim.SetDelay(p, frames)
}

// chooseDelay sets the delay from what has been measured in the lobby.
func (m *Machine) chooseDelay() {
	m.match.delayAt = m.now + delayEvery
	if m.cfg.AutoDelay.On {
		m.setDelays(m.wantedDelay())
	}
}

// adaptDelay looks at the delay from time to time: in tick periods only, so that it
// does not depend on when else the owner is asked to call, for spectators, say.
func (m *Machine) adaptDelay() {
	t := &m.match
	if m.phase != Playing || !m.cfg.AutoDelay.On || m.now < t.delayAt {
		return
	}
	t.delayAt = m.now + delayEvery
	wanted := m.wantedDelay()
	asked, _ := m.sim.Delay(m.local[0])
	switch {
	case wanted > asked:
		m.setDelays(wanted)
		t.shorter = 0
	case wanted < asked:
		if t.shorter++; t.shorter >= delayDown {
			m.setDelays(asked - 1)
			t.shorter = 0
		}
	default:
		t.shorter = 0
	}
}

// wantedDelay covers the way to the farthest peer, with its jitter, in frames, but
// for those that may be rolled back.
func (m *Machine) wantedDelay() int {
	a := m.cfg.AutoDelay
	way := time.Duration(0)
	for _, l := range m.links {
		if l.alive() {
			way = max(way, l.RoundTrip.Smoothed/2+l.RoundTrip.Deviation)
		}
	}
	frames := int((way + m.nominal - 1) / m.nominal)
	return min(max(frames-a.Rollback, a.Least), a.Most)
}

func (m *Machine) setDelays(frames int) {
	for _, p := range m.local {
		if err := m.sim.SetDelay(p, frames); err != nil {
			m.fail(err)
			return
		}
	}
}
