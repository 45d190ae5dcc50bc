//go:build !js

package rooms

import "time"

// The seat of an absent member can be taken by anybody who knows the link: by the same person at another machine, or
// by somebody else. So a member who may still be there must not be displaced. A connected member is there. One that is
// not connected may still be playing directly with the other machines: it counts as being in the match until it has
// reported otherwise, as a page does when it is closed, or until the host, who could also kick it, does so.

// isVacant reports whether others may take the seat of a member that has been away for this long. The seat of a
// machine that owns a match does not belong to a player, and is never vacant.
func (r *room) isVacant(m *member, away, vacancy time.Duration) bool {
	return m.Seat != NoSeat && m.line == nil && !r.round.runs(m.Playing) && away > vacancy && r.terms.seats > MinSeats
}

// vacated returns a vacant seat that a newcomer could take, or NoSeat.
func (r *room) vacated(q *request) int {
	for s := range r.terms.seats {
		if m := r.at(s); m != nil && m.Vacant && q.Role != Spectator && (q.Seat == nil || *q.Seat == s) {
			return s
		}
	}
	return NoSeat
}

// take assigns a free or vacant seat to a member without one.
func (r *room) take(m *member, seat int) error {
	old := r.at(seat)
	switch {
	case m.Seat != NoSeat:
		return refuse(ErrNotReady, "who has seat %d takes no other", m.Seat)
	case seat >= r.terms.seats:
		return refuse(ErrSeatTaken, "there is no seat %d: the room has %d", seat, r.terms.seats)
	case old == nil:
		r.sit(m, seat)
	case !old.Vacant:
		return refuse(ErrSeatTaken, "the member of seat %d is there, or may be", seat)
	default:
		r.seize(m, seat)
	}
	return nil
}

// seize assigns the seat of another member, who becomes a spectator if there is a place for one. The room gets another
// token, because the other member knows the current one and must not be able to go back into the match.
func (r *room) seize(m *member, seat int) {
	old := r.at(seat)
	old.Seat, old.Vacant, old.Taken, old.Status = NoSeat, false, m.ID, ""
	r.ended(old, old.Playing)
	r.sit(m, seat)
	m.late = true
	r.token = newToken()
	if len(r.watching()) > r.terms.spectators {
		r.remove(old)
	}
}

// sit moves a member to a seat, or to none.
func (r *room) sit(m *member, seat int) {
	m.Seat, m.Taken, m.late = seat, 0, r.isPlayed()
	r.generation++
}

// misses records the host's report that a member is not in a match. If the member is connected, its own report counts
// instead.
func (r *room) misses(m *member, match uint32) {
	if m != nil && m.line == nil && match == r.round.number {
		r.ended(m, match)
	}
}

// takerOf returns the error that names the member who has the seat of a departing member, or nil.
func (r *room) takerOf(m *member) *TakenError {
	if m.Taken == 0 {
		return nil
	}
	if by := r.byID(m.Taken); by != nil {
		return &TakenError{by.Name}
	}
	return &TakenError{}
}
