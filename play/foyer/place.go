package foyer

import (
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
)

// Place is our place in a room, which the machine keeps for the next start of the program.
type Place struct {
	keep func(link, ticket string)
	kept string
}

// NewPlace returns a place that nothing is known of yet.
func NewPlace(m *Machine) Place { return Place{keep: m.Keep} }

// Keep makes the machine store the place, if it has changed.
func (s *Place) Keep(r *online.Room) {
	if link, ticket := r.Link(), r.Ticket(); s.keep != nil && s.kept != link+ticket {
		s.kept = link + ticket
		s.keep(link, ticket)
	}
}

// Forget makes the machine forget the place, since we will not come back.
func (s *Place) Forget() {
	if s.keep != nil {
		s.keep("", "")
	}
}

// What members tell each other as their status in the room.
const (
	StatusAway  = "away"    // its page is hidden
	StatusAgain = "rematch" // it asks for a rematch
)

// Names of connections, as in a Status.
const (
	Self      = "self"
	None      = "none"
	Connected = "connected"
)

// Connection describes our connection to a member.
func Connection(r *online.Room, m rooms.Member) string {
	if m.ID == r.Me().ID {
		return Self
	}
	for _, p := range r.Peers() {
		if p.ID == m.ID {
			return p.State.String()
		}
	}
	return None
}

// FailedBecause returns why there is no connection to a member; NoReason if none has failed.
func FailedBecause(r *online.Room, m rooms.Member) peers.Reason {
	for _, p := range r.Peers() {
		if p.ID == m.ID && p.State == peers.Failed {
			return p.Reason
		}
	}
	return peers.NoReason
}

// Report describes the members of a room for an [app.Status].
func Report(r *online.Room, members []rooms.Member) []app.Member {
	list := make([]app.Member, 0, len(members))
	for _, m := range members {
		state := "here"
		switch {
		case !m.Connected:
			state = "lost"
		case m.Status == StatusAway, m.Status == StatusAgain:
			state = m.Status
		}
		list = append(list, app.Member{Name: Called(m), Seat: m.Seat, State: state, Connection: Connection(r, m)})
	}
	return list
}
