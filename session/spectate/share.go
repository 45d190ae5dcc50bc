package spectate

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/session/shares"
)

// makeRoom lets a spectator in when all places are taken, in the place of one of those whose
// side has most, those that are silent first: nobody keeps others out by coming often. It reports false if the newcomer's
// side has as many as any other, or one less.
//
// Sides are those of package shares. The addresses of package peers, which WebRTC has, are
// all of one side; there the room server says who may watch, by the addresses that it sees.
func (a *Audience) makeRoom(from netip.Addr) bool {
	var watching []*guest
	leaving := 0
	for _, g := range a.guests {
		switch {
		case g.seated() || g.gone != "":
		case g.bye:
			leaving++
		default:
			watching = append(watching, g)
		}
	}
	if leaving >= MaxGuests { // they go when they know, or are silent
		return false
	}
	if len(watching) < a.cfg.Max {
		return true // of those who are counted, somebody is leaving
	}
	// The last of a side go first: those that are silent, which may be gone already.
	slices.SortStableFunc(watching, func(x, y *guest) int {
		return cmp.Compare((a.now-x.pipe.Heard)/time.Second, (a.now-y.pipe.Heard)/time.Second)
	})
	origins := make([]shares.Origin, len(watching))
	for i, g := range watching {
		origins[i] = shares.Of(g.pipe.Addr.Addr())
	}
	i := shares.Yields(origins, shares.Of(from), 0)
	if i < 0 {
		return false
	}
	a.dismiss(watching[i], "its place is needed for somebody from elsewhere")
	return true
}
