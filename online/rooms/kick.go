//go:build !js

package rooms

import (
	"crypto/subtle"
	"slices"

	"github.com/tickback/tickback/session/shares"
)

// departed describes a former member.
type departed struct {
	id     uint32
	secret string
	from   shares.Origin
	taker  *TakenError // who has its seat, or nil
}

// maxDeparted limits how many are kept; the oldest are dropped.
const maxDeparted = 64

func remember(list *[]departed, d departed) {
	if len(*list) == maxDeparted {
		*list = slices.Delete(*list, 0, 1)
	}
	*list = append(*list, d)
}

// kick removes a member on request of the host, except one that would become the host again on its return. It reports
// whether there was such a member.
func (r *room) kick(host *member, id uint32) (sent bool, err error) {
	m := r.byID(id)
	switch {
	case m == host:
		return false, refuse(ErrBadMessage, "the host cannot kick itself")
	case m == nil: // it has just left, and must not be able to come back because of that
	case m.Seat != NoSeat && m.Seat < host.Seat && !m.late:
		return false, refuse(ErrHost, "seat %d is before that of the host", m.Seat)
	default:
		r.dismiss(m, &Error{ErrKicked, ""})
	}
	i := slices.IndexFunc(r.departed, func(d departed) bool { return d.id == id })
	if i < 0 {
		return false, nil
	}
	remember(&r.kicked, r.departed[i])
	r.departed = slices.Delete(r.departed, i, i+1)
	return true, nil
}

// isBlocked reports whether an address is blocked: a kicked member came from there, and no present member did.
func (r *room) isBlocked(from shares.Origin) bool {
	return from.Near.IsValid() && slices.ContainsFunc(r.kicked, func(d departed) bool { return d.from.Near == from.Near }) &&
		!slices.ContainsFunc(r.members, func(m *member) bool { return m.from.Near == from.Near })
}

// wasKicked reports whether a secret belongs to a kicked member.
func (r *room) wasKicked(secret string) bool {
	return slices.ContainsFunc(r.kicked, func(d departed) bool { return subtle.ConstantTimeCompare([]byte(d.secret), []byte(secret)) == 1 })
}

// evictSpectator makes room for a newcomer by removing a spectator, and reports whether it did: one from the network
// that has most of the room's places for spectators. That spectator gets an error.
func (h *hub) evictSpectator(r *room, from shares.Origin) bool {
	var watching []*member
	var origins []shares.Origin
	for _, m := range r.members {
		if m.Seat == NoSeat {
			watching, origins = append(watching, m), append(origins, m.from)
		}
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
