//go:build !js

package rooms

import (
	"crypto/subtle"
	"time"
)

// The seat of an absent member can be taken by anybody who knows the link: the same person at another machine, or
// somebody else. So nobody is displaced who may still be there. A connected member is there. One that is not
// connected may still play, from machine to machine: it counts as being in the match until it has said otherwise
// itself, as a page does when it is closed, or until the host says so, who could also kick it.

// isVacant reports whether others may take the seat of a member that has been away for this long. The seat of a
// machine that owns a match is not a player's, and never vacant.
func (r *room) isVacant(m *member, away, vacancy time.Duration) bool {
	playing := len(r.starters) > 0 && m.Playing == r.match
	return m.Seat != NoSeat && m.line == nil && !playing && away > vacancy && r.seats > MinSeats
}

// vacated returns a vacant seat that a newcomer could take, or NoSeat.
func (r *room) vacated(q *request) int {
	for s := range r.seats {
		if m := r.at(s); m != nil && m.Vacant && q.Role != Spectator && (q.Seat == nil || *q.Seat == s) {
			return s
		}
	}
	return NoSeat
}

// take gives a free or vacant seat to a member without one.
func (r *room) take(m *member, seat int) error {
	old := r.at(seat)
	switch {
	case m.Seat != NoSeat:
		return refuse(ErrNotReady, "who has seat %d takes no other", m.Seat)
	case seat >= r.seats:
		return refuse(ErrSeatTaken, "there is no seat %d: the room has %d", seat, r.seats)
	case old == nil:
		r.sit(m, seat)
	case !old.Vacant:
		return refuse(ErrSeatTaken, "the member of seat %d is there, or may be", seat)
	default:
		r.seize(m, seat)
	}
	return nil
}

// seize gives a member the seat of another, who watches from then on, if there is a place for a spectator. The room
// gets another token, as the other member knows the present one: it must not be able to go back into the match.
func (r *room) seize(m *member, seat int) {
	old := r.at(seat)
	old.Seat, old.Vacant, old.Taken, old.Status = NoSeat, false, m.ID, ""
	r.ended(old, old.Playing)
	r.sit(m, seat)
	m.late = true
	r.token = newToken()
	watching := 0
	for _, o := range r.members {
		if o.Seat == NoSeat {
			watching++
		}
	}
	if watching > r.spectators {
		r.remove(old)
	}
}

// sit moves a member to a seat, or to none.
func (r *room) sit(m *member, seat int) {
	m.Seat, m.Taken, m.late = seat, 0, r.isPlayed()
	r.generation++
}

// misses records the host's report that a member is not in a match. A connected member's own word counts instead.
func (r *room) misses(m *member, match uint32) {
	if m != nil && m.line == nil && match == r.match {
		r.ended(m, match)
	}
}

// takerOf returns who has the seat of a departing member, or nil.
func (r *room) takerOf(m *member) *TakenError {
	if m.Taken == 0 {
		return nil
	}
	if by := r.byID(m.Taken); by != nil {
		return &TakenError{by.Name}
	}
	return &TakenError{}
}

// departure returns why a ticket is no longer valid.
func (r *room) departure(secret string) error {
	for _, d := range r.departed {
		if d.taker != nil && subtle.ConstantTimeCompare([]byte(d.secret), []byte(secret)) == 1 {
			return d.taker
		}
	}
	return &Error{ErrMember, ""}
}
