// Package shares divides places among addresses: who has to give way when all places are
// taken, so that nobody keeps others out by coming often.
//
//   - Where does somebody come from: [Of].
//   - All places are taken and one more comes: [Yields].
package shares

import (
	"iter"
	"net/netip"
)

// The bits of an address that one customer has, and that neighbours have in common. A
// provider gives a household one IPv4 address, or an IPv6 /56 with a /64 for each network;
// whoever rents many addresses gets them side by side.
const (
	near4, wide4 = 32, 24
	near6, wide6 = 64, 56
)

// Origin is where somebody comes from. The zero value is no address: all of those are one.
type Origin struct {
	Near netip.Prefix // one IPv4 address, or an IPv6 /64
	Wide netip.Prefix // its IPv4 /24, or its IPv6 /56
}

// Of returns the origin of an address. IPv4 in IPv6 is IPv4, and zones do not count.
func Of(ip netip.Addr) Origin {
	ip = ip.Unmap().WithZone("")
	if !ip.IsValid() {
		return Origin{}
	}
	near, wide := near6, wide6
	if ip.Is4() {
		near, wide = near4, wide4
	}
	n, _ := ip.Prefix(near) // both fit
	w, _ := ip.Prefix(wide)
	return Origin{Near: n, Wide: w}
}

// Holder is somebody who has a place.
type Holder struct {
	Origin
	Near, Wide int    // how many places its near prefix has, and its wide one
	Came       uint64 // grows with each who comes
}

// Yields returns the index of the holder who gives its place to a newcomer, or -1 if the
// newcomer has no better claim than anybody. Holders are in the order in which they came.
// It is [Choose] for callers that keep no counts.
func Yields(holders []Origin, newcomer Origin, keep int) int {
	wide, near := map[netip.Prefix]int{}, map[netip.Prefix]int{}
	for _, h := range holders {
		wide[h.Wide]++
		near[h.Near]++
	}
	return Choose(func(yield func(int, Holder) bool) {
		for i, h := range holders {
			if !yield(i, Holder{h, near[h.Near], wide[h.Wide], uint64(i)}) {
				return
			}
		}
	}, Holder{newcomer, near[newcomer.Near], wide[newcomer.Wide], 0}, keep, -1)
}

// Choose returns the holder who gives its place to a newcomer, or nobody if the newcomer has
// no better claim than anybody. It looks at the holders twice.
//
// The places are divided evenly among the wide prefixes, and those of one among its near
// ones: a place goes from whoever has at least two more than the newcomer's side, newest
// first. A wide prefix keeps what it has up to keep places.
func Choose[T any](holders iter.Seq2[T, Holder], newcomer Holder, keep int, nobody T) T {
	heaviest := newcomer
	for _, h := range holders {
		if h.Wide > heaviest.Wide {
			heaviest = h
		}
	}
	least := 0 // so many of a near prefix, and no fewer, yield
	switch {
	case heaviest.Wide <= keep:
		return nobody
	case heaviest.Wide <= newcomer.Wide+1:
		heaviest, least = newcomer, newcomer.Near+2
	}
	found, most, came := nobody, -1, uint64(0)
	for i, h := range holders {
		if h.Origin.Wide == heaviest.Origin.Wide && h.Near >= least && (h.Near > most || h.Near == most && h.Came > came) {
			found, most, came = i, h.Near, h.Came
		}
	}
	return found
}
