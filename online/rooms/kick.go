//go:build !js

package rooms

import (
	"slices"

	"github.com/tickback/tickback/session/shares"
)

// kick removes a member on request of the host, except one that would become the host again on its return. It reports
// whether there was such a member.
func (r *room) kick(host *member, id uint32) (sent bool, err error) {
	m := r.byID(id)
	switch {
	case m == host:
		return false, refuse(ErrBadMessage, "the host cannot kick itself")
	case m == nil: // the member has just left, but must not be able to come back because of that
	case m.Seat != NoSeat && m.Seat < host.Seat && !m.late:
		return false, refuse(ErrHost, "seat %d is before that of the host", m.Seat)
	default:
		r.dismiss(m, &Error{ErrKicked, ""})
	}
	return r.departures.kick(id), nil
}

// isBlocked reports whether an address is blocked: a kicked member came from there, and no present member did.
func (r *room) isBlocked(from shares.Origin) bool {
	return r.departures.hasKickedFrom(from) && !slices.ContainsFunc(r.members, func(m *member) bool { return m.from.Near == from.Near })
}

// evictSpectator makes room for a newcomer by removing a spectator, who gets an error, and reports whether it did. It
// chooses one from the network that has most of the room's places for spectators.
func (h *hub) evictSpectator(r *room, from shares.Origin) bool {
	watching := r.watching()
	var origins []shares.Origin
	for _, m := range watching {
		origins = append(origins, m.from)
	}
	i := shares.Evict(origins, from, 0)
	if i < 0 {
		return false
	}
	h.stats.Displaced++
	r.dismiss(watching[i], refuse(ErrFull, "its place to watch is needed for somebody from another network"))
	return true
}

// dismiss removes a member, and sends it the reason.
func (r *room) dismiss(m *member, why error) {
	if m.line != nil {
		m.line.end(encode(errorReply(why, true)))
		m.line = nil
	}
	r.remove(m)
}
