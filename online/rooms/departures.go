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
	taker  *TakenError // the error that names the member who has its seat, or nil
}

// has reports whether a secret is that of the former member.
func (d *departed) has(secret string) bool {
	return subtle.ConstantTimeCompare([]byte(d.secret), []byte(secret)) == 1
}

// maxDeparted is the maximum number of former members that are kept; the oldest are dropped.
const maxDeparted = 64

// departures remember the members who left or were kicked most recently.
type departures struct{ left, kicked []departed }

// remember adds a former member to a list.
func remember(list *[]departed, d departed) {
	if len(*list) == maxDeparted {
		*list = slices.Delete(*list, 0, 1)
	}
	*list = append(*list, d)
}

// add adds a member who has left.
func (d *departures) add(who departed) { remember(&d.left, who) }

// kick makes a member who has left one who was kicked, and reports whether there is such a member.
func (d *departures) kick(id uint32) bool {
	i := slices.IndexFunc(d.left, func(d departed) bool { return d.id == id })
	if i < 0 {
		return false
	}
	remember(&d.kicked, d.left[i])
	d.left = slices.Delete(d.left, i, i+1)
	return true
}

// hasKicked reports whether a secret belongs to a kicked member.
func (d *departures) hasKicked(secret string) bool {
	return slices.ContainsFunc(d.kicked, func(d departed) bool { return d.has(secret) })
}

// hasKickedFrom reports whether a kicked member came from this address.
func (d *departures) hasKickedFrom(from shares.Origin) bool {
	return from.Near.IsValid() && slices.ContainsFunc(d.kicked, func(d departed) bool { return d.from.Near == from.Near })
}

// reason returns the reason why a ticket with this secret is no longer valid.
func (d *departures) reason(secret string) error {
	for _, d := range d.left {
		if d.taker != nil && d.has(secret) {
			return d.taker
		}
	}
	return &Error{ErrMember, ""}
}
