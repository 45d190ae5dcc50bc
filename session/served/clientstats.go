package served

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Stats returns the statistics, as far as a client knows them. Links has the server, in the memory
// that is given. Confirmed is the newest state that is known, Window how far the client may be
// ahead of it, and Members are those who play as far as the server has told.
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
	if c.since > 0 { // it has played; from its last tick on that stands still
		s.Uptime = max(min(c.now, c.timing.due)-c.since, 0)
	}
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

// ClientCounts are figures that only a client of a server has.
type ClientCounts struct {
	// Updates and Wholes are states that the server has told, as an update and as a whole. Stale
	// updates came too late.
	Updates, Wholes, Stale uint64
	// Resumed is how often the client has gone on from a state that an update has told, and left out the ticks before.
	Resumed uint64
	// Corrected are states that were told and were others than predicted.
	Corrected uint64
	// Stalls are ticks that could not run because the server was silent, and Skipped those that
	// were left out to be in time again.
	Stalls, Skipped uint64
	// Lag is how many ticks the client's newest state is behind the tick of which the input is made next, since
	// its machine is too slow for more, now. It is 0 on others.
	Lag Frame
}

// Counts returns what the client has counted.
func (c *Client[S, I]) Counts() ClientCounts {
	n := c.clientMatch.counts
	return ClientCounts{
		Updates: n.updates, Wholes: n.fullStates, Stale: n.stale, Corrected: n.corrected, Resumed: n.resumed,
		Stalls: c.timing.stalls, Skipped: c.timing.skipped, Lag: lag(c),
	}
}

// Members returns who plays, as far as the server has told.
func (c *Client[S, I]) Members() PlayerSet {
	if c.phase != session.Playing {
		return 0
	}
	return rollback.PlayerSet(1<<c.cfg.Players-1) &^ c.clientMatch.gone
}
