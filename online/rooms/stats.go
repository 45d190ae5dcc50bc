//go:build !js

package rooms

import "maps"

// Stats has the current numbers and the totals of a server. It is a copy.
type Stats struct {
	Rooms, Members, Connections int // current numbers; Members includes members who are away
	Connected                   int // members who are not away
	Empty                       int // rooms without connections
	Entering                    int // connections that have not entered a room yet
	Visitors                    int // addresses and prefixes about which data is kept
	Matches                     int // rooms with a running match

	RoomsMade                       uint64
	MessagesReceived, BytesReceived uint64
	MessagesSent, BytesSent         uint64
	Signals                         uint64
	Rejoined                        uint64            // members who came back
	Displaced                       uint64            // connections, rooms and spectators that were ended to make room for others
	Delayed                         uint64            // messages that had to wait
	Refused                         map[string]uint64 // refusals by the code of their reason; see [Codes]
	Limited                         map[string]uint64 // refusals by the limit that caused them; see [Limits]
}

// Stats returns the current numbers and the totals so far.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.hub.stats
	st.Refused, st.Limited = maps.Clone(st.Refused), maps.Clone(st.Limited)
	st.Empty, st.Entering = len(s.hub.empty), len(s.entering)
	st.Visitors = len(s.hub.visitors.near) + len(s.hub.visitors.wide)
	st.Rooms, st.Connections = len(s.hub.rooms), len(s.conns)
	for _, r := range s.hub.rooms {
		st.Members += len(r.members)
		if len(r.round.starters) > 0 {
			st.Matches++
		}
		for _, m := range r.members {
			if m.line != nil {
				st.Connected++
			}
		}
	}
	return st
}
