// Package shares divides places among addresses. When all places are taken, it decides which holder is evicted, so
// that nobody can keep others out by coming often.
//
//   - [Of] returns the origin of an address.
//   - [Evict] returns the holder to evict when one more comes and all places are taken.
package shares

import (
	"iter"
	"net/netip"
)

// How many leading bits the addresses of one customer have in common, and those of neighbours. A provider gives a
// household one IPv4 address, or an IPv6 /56 with a /64 for each network; addresses that are rented together are
// adjacent.
const (
	near4, wide4 = 32, 24
	near6, wide6 = 64, 56
)

// Origin identifies where a machine comes from. The zero value, for an invalid address, is one origin.
type Origin struct {
	Near netip.Prefix // one IPv4 address, or an IPv6 /64
	Wide netip.Prefix // its IPv4 /24, or its IPv6 /56
}

// Of returns the origin of an address. IPv4 in IPv6 counts as IPv4, and zones are ignored.
func Of(ip netip.Addr) Origin {
	ip = ip.Unmap().WithZone("")
	if !ip.IsValid() {
		return Origin{}
	}
	near, wide := near6, wide6
	if ip.Is4() {
		near, wide = near4, wide4
	}
	n, _ := ip.Prefix(near) // near and wide are valid for the family
	w, _ := ip.Prefix(wide)
	return Origin{Near: n, Wide: w}
}

// Holder is a machine that has a place.
type Holder struct {
	Origin
	Near, Wide int    // how many places its near prefix and its wide prefix have
	Came       uint64 // greater than that of all earlier holders
}

// Evict returns the index of the holder to evict for a newcomer, or -1 if no holder has a weaker claim. Holders are
// in the order in which they came. It is [Choose] for callers that keep no counts.
func Evict(holders []Origin, newcomer Origin, keep int) int {
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

// Choose returns the holder to evict for a newcomer, or nobody if no holder has a weaker claim. It visits the
// holders twice.
//
// Places are divided evenly among the wide prefixes, and within one among its near prefixes: a prefix that has at
// least two places more than the newcomer's loses one, the newest first. A wide prefix can always keep up to keep
// places.
func Choose[T any](holders iter.Seq2[T, Holder], newcomer Holder, keep int, nobody T) T {
	heaviest := newcomer
	for _, h := range holders {
		if h.Wide > heaviest.Wide {
			heaviest = h
		}
	}
	least := 0 // only near prefixes with at least this many places lose one
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
