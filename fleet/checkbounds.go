package fleet

import "github.com/tickback/tickback/session/reliable"

// boundsChecker: nothing that waits grows without a bound, and nothing is dropped for
// want of room.
type boundsChecker struct{ indifferent }

func (boundsChecker) name() string { return "bounds" }

const (
	// mostUnacknowledged is how many inputs a session keeps to send again.
	mostUnacknowledged = 512
	// mostEarly is how many frames early orders, inputs and values of chains may be.
	mostEarly = 512
)

func (c boundsChecker) look(r *referee) {
	for i, m := range r.machines {
		if m.dead {
			continue
		}
		s := &m.stats
		if s.DroppedEvents > 0 || s.DroppedDatagrams > 0 {
			r.violate(c, i, "%d events and %d datagrams had no room", s.DroppedEvents, s.DroppedDatagrams)
		}
		for _, l := range m.links {
			if l.Pending > reliable.DefaultBacklog+1<<10 || l.Unacknowledged > mostUnacknowledged || l.Early > mostEarly {
				r.violate(c, i, "to %v: %d bytes are pending, %d inputs unacknowledged, %d early", l.Players, l.Pending, l.Unacknowledged, l.Early)
			}
		}
	}
}
