package online

import (
	"fmt"
	"strings"

	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/rooms"
)

// PeerError means that a match ended, or did not begin, because connections did not work. It wraps the match's own
// error.
type PeerError struct {
	Peers []FailedPeer
	Err   error
}

// FailedPeer is a member to which this machine has no connection.
type FailedPeer struct {
	Member rooms.Member
	Reason peers.Reason
}

// Error lists the failed peers, and the reason for each.
func (e *PeerError) Error() string {
	var names []string
	for _, p := range e.Peers {
		names = append(names, fmt.Sprintf("%s: %v", nameOf(p.Member), p.Reason))
	}
	return strings.Join(names, "; ")
}

// Unwrap returns the match's error.
func (e *PeerError) Unwrap() error { return e.Err }

// nameOf returns the name of a member for messages.
func nameOf(m rooms.Member) string {
	switch {
	case m.Name != "":
		return m.Name
	case m.Seat != rooms.NoSeat:
		return fmt.Sprintf("player %d", m.Seat+1)
	}
	return fmt.Sprintf("spectator %d", m.ID)
}

// Explain says whether connections caused an error of a match: it returns a [*PeerError]
// with the members that could not be reached, or err if there are none. Call it before
// the match is closed.
func (r *Room) Explain(err error) error {
	if err == nil {
		return nil
	}
	s := r.client.State()
	found := &PeerError{Err: err}
	for _, p := range r.Peers() {
		m, ok := s.Member(p.ID)
		if ok && p.State == peers.Failed {
			found.Peers = append(found.Peers, FailedPeer{m, p.Reason})
		}
	}
	if len(found.Peers) == 0 {
		return err
	}
	return found
}
