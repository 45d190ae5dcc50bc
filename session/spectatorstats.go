package session

// Stats returns the statistics that a spectator has. The link to the host is appended to links.
func (s *Spectator[S, I]) Stats(links []LinkStats) Stats {
	t := s.incoming.follower.Traffic()
	live := Frame(s.incoming.follower.Live())
	match, members := s.shown.match, s.shown.present.members(s.shown.engine.Players())
	if s.shown.over {
		match, members = s.shown.outcome.Match, 0 // the last match
	}
	return Stats{
		Phase: s.phase, Match: match, Members: members, Prepared: s.shown.begun, Frame: s.shown.engine.Frame(), Health: s.shown.health, Nominal: s.nominal, Period: s.nominal,
		Confirmed: live, Agreed: live, Engine: s.shown.engine.Stats(),
		Stalls: s.play.Breaks, Blocked: s.play.Empty, Strangers: t.Strangers, DroppedEvents: s.events.Dropped(),
		Links: append(links, LinkStats{
			Addr: s.incoming.follower.Host(), Connected: s.incoming.follower.Attached(), Limit: t.Limit,
			Sent: t.Sent, SentBytes: t.SentBytes, Received: t.Received,
			RoundTrip: t.RoundTrip, Deviation: t.Deviation,
		}),
	}
}

// Transfer returns how many bytes of a state have arrived, and its size; both are 0 if no state is being
// transferred.
func (s *Spectator[S, I]) Transfer() (have, size int) { return s.incoming.follower.Transfer() }

// Urgent reports whether an arriving datagram should be handled at once: a state is being transferred, or nothing
// is shown.
func (s *Spectator[S, I]) Urgent() bool { return s.phase != Playing || !s.play.Running() }
