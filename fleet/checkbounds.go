package fleet

import (
	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/session/spectate"
)

// boundsChecker checks that no queue grows without bound, and that nothing is dropped for lack of room.
type boundsChecker struct{ noCheck }

func (boundsChecker) name() string { return "bounds" }

const (
	// mostUnacknowledged is how many inputs a session keeps for sending again.
	mostUnacknowledged = 512
	// mostEarly is how many frames early orders, inputs and chain values may be.
	mostEarly = 512
	// mostStates is the maximum number of states that a machine holds for spectators.
	mostStates = 6
	// mostDatagrams is the maximum number of datagrams waiting to be sent, to peers and to spectators.
	mostDatagrams = 64 + spectate.MaxOutgoing
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
		if a, most := &s.Spectators, r.plan.Hosting.Max+btoi(r.plan.invites())*len(r.machines); a.Spectators > most || a.Spectators+a.Leaving > most+spectate.MaxSpectators || a.Log > spectate.DefaultLogBytes || a.Held > mostStates {
			r.violate(c, i, "%d watch, %d are leaving, %d bytes of frames and %d states are held", a.Spectators, a.Leaving, a.Log, a.Held)
		}
		if s.PendingDatagrams > mostDatagrams {
			r.violate(c, i, "%d datagrams wait to be sent", s.PendingDatagrams)
		}
		for _, l := range m.links {
			if l.Pending > reliable.DefaultBacklog+1<<10 || l.Unacknowledged > mostUnacknowledged || l.Early > mostEarly {
				r.violate(c, i, "to %v: %d bytes are pending, %d inputs unacknowledged, %d early", l.Players, l.Pending, l.Unacknowledged, l.Early)
			}
		}
	}
	for _, w := range r.watchers {
		if s := &w.stats; !w.dead && (s.DroppedEvents > 0 || s.DroppedDatagrams > 0) {
			r.violate(c, w.node, "%d events and %d datagrams had no room", s.DroppedEvents, s.DroppedDatagrams)
		}
	}
}
