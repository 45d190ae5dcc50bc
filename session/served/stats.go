package served

import (
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/pace"
	"github.com/tickback/tickback/session/sequencer"
)

// Stats returns the statistics that all kinds of sessions have. The links to the clients are appended to links.
func (h *Host) Stats(links []session.LinkStats) session.Stats {
	f := h.world.Frame()
	s := session.Stats{
		Phase: h.phase, Match: 1, Prepared: 1, Frame: f, Confirmed: f, Agreed: f, Health: h.log.stream.Chain.Health(),
		Engine: h.world.Stats(), Uptime: min(h.now, h.due) - pace.Beginning, // it stops at the last tick
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

// ClientStats describe a client as seen by the server.
type ClientStats struct {
	Player Player
	// Inputs counts the ticks for which an input of the client arrived in time, and Replaced those for which none
	// did, since the client got its place.
	Inputs, Replaced uint64
	// Late counts the inputs that arrived after their tick, and Carried those of them that were merged into a later
	// one. Stale counts inputs that came so long after their tick that it is unknown whether they are repetitions.
	Late, Carried, Stale uint64
	// Faults count what arrived from the client and gained it nothing.
	Faults
	// Behind is the age, in ticks, of the newest state that the client holds; -1 if it holds none.
	Behind int
	// Plain says that a state of the client once differed.
	Plain     bool
	RoundTrip time.Duration
}

// Client returns the statistics of the client that has a player, and whether there is one.
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
