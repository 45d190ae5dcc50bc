package session

import "errors"

// SetDelay changes the input delay of a local player, in frames. No input of the player is lost or duplicated by
// the change. It fails with AutoDelay.
func (m *Machine) SetDelay(p Player, frames int) error {
	if m.cfg.AutoDelay.On {
		return errors.New("session: AutoDelay chooses the delay")
	}
	return m.sim.SetDelay(p, frames)
}

// adaptDelay adapts the delay to the path to the farthest peer, with its jitter, minus the frames that may be
// rolled back. It is called once per tick period, so that it does not depend on other calls by the owner, such as
// those for spectators.
func (m *play) adaptDelay() {
	a := m.cfg.AutoDelay
	if m.phase != Playing || !a.On || !m.pacing.delay.Due(m.now) {
		return
	}
	way := int((m.farthest()/2 + m.nominal - 1) / m.nominal)
	asked, _ := m.sim.Delay(m.local[0])
	frames := m.pacing.delay.Follow(asked, min(max(way-a.Rollback, a.Min), a.Max))
	for _, p := range m.local {
		if err := m.sim.SetDelay(p, frames); err != nil {
			m.fail(err)
			return
		}
	}
}
