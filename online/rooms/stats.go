//go:build !js

package rooms

import "maps"

// Stats is what a server has and has done. It is a copy.
type Stats struct {
	Rooms, Members, Connections int // now; Members are those in rooms, away or not
	Connected                   int // members that are not away
	Matches                     int // rooms in which a match is played

	RoomsMade                       uint64
	MessagesReceived, BytesReceived uint64
	MessagesSent, BytesSent         uint64
	Signals                         uint64
	Rejoined                        uint64            // members that came back
	Refused                         map[string]uint64 // by the code of the reason; see [Codes]
}

// Stats returns what the server has and has done so far.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.hub.stats
	st.Refused = maps.Clone(st.Refused)
	st.Rooms, st.Connections = len(s.hub.rooms), s.open
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
