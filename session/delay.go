package session

import "errors"

// SetDelay changes the input delay of a local player, in frames from now on. What
// the player does is neither lost nor doubled by it.
func (m *Machine) SetDelay(p Player, frames int) error {
	if m.cfg.AutoDelay.On {
		return errors.New("session: AutoDelay chooses the delay")
	}
	return m.sim.SetDelay(p, frames)
}

// adaptDelay has the delay cover the way to the farthest peer, with its jitter, but for the frames
// that may be rolled back. It is called once in each tick period, so that it does not depend on
// when else the owner is asked to call, such as for spectators.
func (m *play) adaptDelay() {
	a := m.cfg.AutoDelay
	if m.phase != Playing || !a.On || !m.match.delay.Due(m.now) {
		return
	}
	way := int((m.farthest()/2 + m.nominal - 1) / m.nominal)
	asked, _ := m.sim.Delay(m.local[0])
	frames := m.match.delay.Follow(asked, min(max(way-a.Rollback, a.Min), a.Max))
	for _, p := range m.local {
		if err := m.sim.SetDelay(p, frames); err != nil {
			m.fail(err)
			return
		}
	}
}
