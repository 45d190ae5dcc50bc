package served

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Stats returns the statistics that a client has. The link to the server is appended to links. Confirmed is the
// newest known state, Window is how far the client may run ahead of it, and Members are the players according to
// the server.
func (c *Client[S, I]) Stats(links []session.LinkStats) session.Stats {
	s := session.Stats{
		Phase: c.Phase(), Frame: c.engine.Frame(), Health: c.clientMatch.health, Confirmed: c.clientMatch.newest, Agreed: c.engine.Agreed(),
		Window: c.cfg.MaxAhead, Engine: c.engine.Stats(), Nominal: c.timing.nominal, Period: c.timing.nominal,
		Stalls: c.timing.stalls, Blocked: c.timing.stalls, Strangers: c.server.strangers,
		PendingEvents: c.events.Len(), PendingDatagrams: c.out.Len(),
		DroppedEvents: c.events.Dropped(), DroppedDatagrams: c.out.Dropped,
	}
	if _, s.Match = c.Proposal(); s.Match > 0 && c.phase != session.Connecting {
		s.Prepared = 1
	}
	if c.phase == session.Playing {
		s.Members = PlayerSet(1<<c.cfg.Players-1) &^ c.clientMatch.gone
		s.Period = c.timing.lead.Period(c.timing.nominal, c.timing.offset(c.timing.next, c.timing.due))
	}
	s.Uptime = max(min(c.now, c.timing.due)-c.since, 0) // 0 before its first tick; it stops at the last one
	l := session.LinkStats{Addr: c.cfg.Server}
	if p := c.server.pipe; p != nil {
		n := p.Counts
		s.Datagrams, s.Bytes = n.Sent, n.SentBytes
		l.Connected, l.Limit, l.RoundTrip, l.Deviation = c.server.heard && c.phase != session.Over, p.Limit(), p.RoundTrip.Smoothed, p.RoundTrip.Deviation
		l.Sent, l.SentBytes, l.Received = n.Sent, n.SentBytes, n.Received
		if l.Connected {
			l.Quiet = c.now - p.Heard
		}
	}
	s.Links = append(links, l)
	return s
}

// ClientCounts are counters that only a client of a server has.
type ClientCounts struct {
	// Updates and Wholes count the states received from the server, as updates and as whole states. Stale updates
	// came too late.
	Updates, Wholes, Stale uint64
	// Resumed is how often the client restarted at the state of an update and skipped the ticks before.
	Resumed uint64
	// Corrected counts received states that differed from the prediction.
	Corrected uint64
	// Stalls counts ticks that could not run because the server was silent, and Skipped those that were skipped to
	// catch up.
	Stalls, Skipped uint64
	// Lag is the number of ticks that the client's newest state is now behind the tick for which the next input is
	// made, because its machine is too slow. It is 0 on machines that are fast enough.
	Lag Frame
}

// Counts returns the client's counters.
func (c *Client[S, I]) Counts() ClientCounts {
	n := c.clientMatch.counts
	return ClientCounts{
		Updates: n.updates, Wholes: n.fullStates, Stale: n.stale, Corrected: n.corrected, Resumed: n.resumed,
		Stalls: c.timing.stalls, Skipped: c.timing.skipped, Lag: lag(c),
	}
}

// Members returns the players in the match, according to the server.
func (c *Client[S, I]) Members() PlayerSet {
	if c.phase != session.Playing {
		return 0
	}
	return rollback.PlayerSet(1<<c.cfg.Players-1) &^ c.clientMatch.gone
}
