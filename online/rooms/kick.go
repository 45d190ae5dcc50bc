//go:build !js

package rooms

import (
	"crypto/subtle"
	"net/netip"
	"slices"
)

// departed is what is remembered of somebody who is no member any more.
type departed struct {
	id     uint32
	secret string
	from   netip.Prefix
}

// maxDeparted bounds how many are remembered; the oldest are forgotten.
const maxDeparted = 64

func remember(list *[]departed, d departed) {
	if len(*list) == maxDeparted {
		*list = slices.Delete(*list, 0, 1)
	}
	*list = append(*list, d)
}

// kick sends a member away for the host, who cannot do so to who leads again when it is
// back.
func (r *room) kick(host *member, id uint32) error {
	m := r.byID(id)
	switch {
	case m == host:
		return refuse(ErrBadMessage, "nobody is sent away by itself")
	case m == nil: // it has just gone, and must not come back by that
	case m.Seat != NoSeat && m.Seat < host.Seat:
		return refuse(ErrHost, "seat %d is before that of the host", m.Seat)
	default:
		if m.line != nil {
			m.line.end(encode(errorReply(&Error{ErrKicked, ""}, true)))
			m.line = nil
		}
		r.remove(m)
	}
	if i := slices.IndexFunc(r.departed, func(d departed) bool { return d.id == id }); i >= 0 {
		remember(&r.kicked, r.departed[i])
		r.departed = slices.Delete(r.departed, i, i+1)
	}
	return nil
}

// keepsOut reports whether nobody may come from an address: somebody was sent away who
// came from there, and nobody who is here did.
func (r *room) keepsOut(from netip.Prefix) bool {
	return from.IsValid() && slices.ContainsFunc(r.kicked, func(d departed) bool { return d.from == from }) &&
		!slices.ContainsFunc(r.members, func(m *member) bool { return m.from == from })
}

// wasKicked reports whether a secret is that of somebody who was sent away.
func (r *room) wasKicked(secret string) bool {
	return slices.ContainsFunc(r.kicked, func(d departed) bool { return subtle.ConstantTimeCompare([]byte(d.secret), []byte(secret)) == 1 })
}
