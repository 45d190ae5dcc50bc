package session

// Stats returns the statistics that a spectator has. The link to the host is appended to links.
func (s *Spectator[S, I]) Stats(links []LinkStats) Stats {
	t := s.follower.Traffic()
	smoothed, deviation := s.follower.RoundTrip()
	live := Frame(s.follower.Live())
	match, members := s.match, s.present.members(s.engine.Players())
	if s.over {
		match, members = s.outcome.Match, 0 // the last match
	}
	return Stats{
		Phase: s.phase, Match: match, Members: members, Prepared: s.begun, Frame: s.engine.Frame(), Health: s.health, Nominal: s.nominal(), Period: s.nominal(),
		Confirmed: live, Agreed: live, Engine: s.engine.Stats(),
		Stalls: s.play.Breaks, Blocked: s.play.Empty, Strangers: t.Strangers, DroppedEvents: s.events.Dropped(),
		Links: append(links, LinkStats{
			Addr: s.follower.Host(), Connected: s.follower.Attached(), Limit: s.follower.Limit(),
			Sent: t.Sent, SentBytes: t.SentBytes, Received: t.Received,
			RoundTrip: smoothed, Deviation: deviation,
		}),
	}
}

// Transfer returns how many bytes of a state have arrived, and its size; both are 0 if no state is being
// transferred.
func (s *Spectator[S, I]) Transfer() (have, size int) { return s.follower.Transfer() }

// Urgent reports whether an arriving datagram should be handled at once: a state is being transferred, or nothing
// is shown.
func (s *Spectator[S, I]) Urgent() bool { return s.phase != Playing || !s.play.Running() }
