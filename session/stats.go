package session

import "github.com/tickback/tickback/rollback"

// counts is what a machine counts, besides its engine and its links.
type counts struct{ stalls, blocked, strangers, rejected uint64 }

// Stats is what there is to know of a session. What counts frames and stalls, and
// Datagrams and Bytes, begin anew with each match; the rest goes on. The engine's
// histogram is the engine's; see [rollback.Engine.Stats].
type Stats struct {
	Phase  Phase
	Match  uint32 // its number, from 1 on
	Frame  Frame  // the next one to run
	Health Health

	Confirmed, Agreed Frame
	// Engine is what the engine has counted: rollbacks, their depth, frames
	// simulated again.
	Engine rollback.Stats
	// Stalls are maximal runs of tick periods whose frame could not run when it
	// was due, and Blocked are such periods.
	Stalls, Blocked uint64
	// Strangers are datagrams that came from nobody we know, and Rejected those
	// from the address of a peer that were no good.
	Strangers, Rejected uint64
	// Datagrams and Bytes of payload were sent to all peers while playing.
	Datagrams, Bytes uint64
	// DroppedEvents were not taken in time, and DroppedDatagrams found no room
	// because their owner did not take them.
	DroppedEvents, DroppedDatagrams uint64
	// QueuedEvents and QueuedDatagrams wait to be taken by their owner.
	QueuedEvents, QueuedDatagrams int
	Links                         []LinkStats
}

// Stats returns the statistics. It fills in Links, using the memory that is given.
func (m *Machine) Stats(links []LinkStats) Stats {
	s := Stats{
		Phase: m.phase, Match: m.match.number, Frame: m.sim.Frame(), Health: m.chain.health,
		Confirmed: m.sim.Confirmed(), Agreed: m.sim.Agreed(), Engine: m.sim.Stats(),
		Stalls: m.counts.stalls, Blocked: m.counts.blocked,
		Strangers: m.counts.strangers, Rejected: m.counts.rejected,
		DroppedEvents: m.events.dropped, DroppedDatagrams: m.out.dropped,
		QueuedEvents: len(m.events.list), QueuedDatagrams: len(m.out.list),
	}
	for _, l := range m.links {
		s.Datagrams += l.playSent
		s.Bytes += l.playBytes
		t := l.stats
		t.Players, t.Addr, t.Connected = l.players, l.addr, l.alive()
		t.RoundTrip, t.Deviation = l.rtt.smoothed, l.rtt.deviation
		t.Lag, t.RemoteLag = l.lag.here, l.lag.there
		t.Pending, t.Unacknowledged, t.Early = l.channel.Pending(), 0, len(l.chain.pending)
		for i, p := range m.local {
			if !l.alive() {
				break // nobody is left to acknowledge
			}
			t.Unacknowledged = max(t.Unacknowledged, int(m.history[p].Next()-l.acked[i]))
		}
		for _, p := range l.list {
			t.Early = max(t.Early, len(m.orders[p].early), len(m.orders[p].waiting))
		}
		links = append(links, t)
	}
	s.Links = links
	return s
}
