package spectate

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/session/shares"
)

// makeRoom makes room for a spectator when all places are taken. It dismisses a spectator of the side that has
// most, a silent one first, so that nobody can keep others out by coming often. It returns false if the side of the
// new spectator has as many as any other, or one less.
//
// Sides are defined in package shares. All addresses of package peers, which WebRTC uses, are on one side; there
// the room server decides who may watch, by the addresses that it sees.
func (a *Host) makeRoom(from netip.Addr) bool {
	var watching []*spectator
	leaving := 0
	for _, g := range a.spectators {
		switch {
		case g.isNewcomer() || g.gone != "":
		case g.bye:
			leaving++
		default:
			watching = append(watching, g)
		}
	}
	if leaving >= MaxSpectators { // they go once they acknowledge it, or fall silent
		return false
	}
	if len(watching) < a.cfg.Max {
		return true // one of those that count is already leaving
	}
	// Silent ones, which may be gone already, come last: within a side, the last one is evicted.
	slices.SortStableFunc(watching, func(x, y *spectator) int {
		return cmp.Compare((a.now-x.pipe.Heard)/time.Second, (a.now-y.pipe.Heard)/time.Second)
	})
	origins := make([]shares.Origin, len(watching))
	for i, g := range watching {
		origins[i] = shares.Of(g.pipe.Addr.Addr())
	}
	i := shares.Evict(origins, shares.Of(from), 0)
	if i < 0 {
		return false
	}
	a.dismiss(watching[i], "its place is needed for a spectator from elsewhere")
	return true
}
