package served

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/pace"
	"github.com/tickback/tickback/session/sequencer"
)

// Stats returns the statistics that sessions of all kinds have. Links has the clients, in the
// memory that is given.
func (h *Host) Stats(links []session.LinkStats) session.Stats {
	f := h.world.Frame()
	s := session.Stats{
		Phase: h.phase, Match: 1, Prepared: 1, Frame: f, Confirmed: f, Agreed: f, Health: h.log.stream.Chain.Health(),
		Engine: h.world.Stats(), Uptime: max(min(h.now, h.due)-pace.Beginning, 0), // from the last tick on it stands still
		Members: h.Members(),
		Nominal: h.cfg.nominal(), Period: h.cfg.nominal(), Blocked: h.counts.skipped,
		Strangers: h.counts.strangers, Rejected: h.counts.rejected,
		PendingEvents: h.events.Len(), PendingDatagrams: h.out.Len(),
		DroppedEvents: h.events.Dropped(), DroppedDatagrams: h.out.Dropped, Spectators: h.audience.Stats(),
	}
	if h.phase != session.Playing {
		s.Members = 0
	}
	for _, c := range h.clients.list {
		n := c.pipe.Counts
		s.Datagrams += n.Sent
		s.Bytes += n.SentBytes
		l := session.LinkStats{
			Addr: c.pipe.Addr, Connected: true, Limit: c.pipe.Limit(), Sent: n.Sent, SentBytes: n.SentBytes, Received: n.Received, ReceivedBytes: n.ReceivedBytes,
			RoundTrip: c.pipe.RoundTrip.Smoothed, Deviation: c.pipe.RoundTrip.Deviation,
		}
		if c.plays {
			l.Players = rollback.SetOf(c.player)
		}
		links = append(links, l)
	}
	s.Links = links
	return s
}

// ClientStats are what a server knows of a client.
type ClientStats struct {
	Player Player
	// Inputs are how many ticks had an input of the client in time, and Replaced how many had not,
	// since it has its place.
	Inputs, Replaced uint64
	// Late came after their tick, Carried of these into a later one. Stale came so long after it
	// that nobody can tell whether they were repeated.
	Late, Carried, Stale uint64
	// Faults are what gained it nothing.
	Faults
	// Behind is how many ticks ago the newest state was that it holds; -1 if it holds none.
	Behind int
	// Plain says that its states have differed once.
	Plain     bool
	RoundTrip time.Duration
}

// Client returns what is known of the client that plays a player, and whether there is one.
func (h *Host) Client(p Player) (ClientStats, bool) {
	c := h.clients.player(p)
	if c == nil {
		return ClientStats{}, false
	}
	count := func(v sequencer.Verdict) uint64 { return h.sequencer.Count(p, v) }
	s := ClientStats{
		Player: p, Inputs: count(sequencer.Taken), Replaced: h.sequencer.Replaced(p), Late: count(sequencer.Late), Carried: h.sequencer.Carried(p),
		Faults: c.faults, Stale: count(sequencer.Stale), Behind: -1, Plain: c.view.plain, RoundTrip: c.pipe.RoundTrip.Smoothed,
	}
	if c.view.any {
		s.Behind = int(h.world.Frame() - c.view.newest)
	}
	return s, true
}
