package session

import (
	"time"

	"github.com/tickback/tickback/session/pace"
)

// period returns the length of the next tick period; see [pace.Balance].
func (m *Machine) period() time.Duration {
	var b pace.Balance
	for _, l := range m.links {
		if l.alive() {
			b.Add(&l.lag)
		}
	}
	return b.Period(m.nominal)
}
