//go:build !js

package rooms

import "maps"

// Stats has the current numbers and the totals of a server. It is a copy.
type Stats struct {
	Rooms, Members, Connections int // now; Members are those in rooms, away or not
	Connected                   int // members that are not away
	Empty                       int // rooms without connections
	Entering                    int // connections that have not entered a room yet
	Visitors                    int // addresses and prefixes that are kept
	Matches                     int // rooms with a running match

	RoomsMade                       uint64
	MessagesReceived, BytesReceived uint64
	MessagesSent, BytesSent         uint64
	Signals                         uint64
	Rejoined                        uint64            // members that came back
	Displaced                       uint64            // connections, rooms and spectators that were ended to make place for others
	Delayed                         uint64            // messages that had to wait
	Refused                         map[string]uint64 // by the code of the reason; see [Codes]
	Limited                         map[string]uint64 // by the limit that refused; see [Limits]
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
		if r.match != 0 && len(r.starters) > 0 {
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
