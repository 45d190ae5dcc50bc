package nav

import "math/bits"

// Sectors is a set of sectors, with a bit for each: sector s is bit s%64 of word s/64. Sectors are counted row by row.
type Sectors [maxSectors / 64]uint64

// Has reports whether a sector is in the set.
func (s *Sectors) Has(sector int) bool {
	return uint(sector) < maxSectors && s[sector/64]>>(sector%64)&1 != 0
}

// Len returns how many sectors are in the set.
func (s *Sectors) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

func (s *Sectors) add(sector int) { s[sector/64] |= 1 << (sector % 64) }

// list appends the sectors of the set that are below most, in ascending order.
func (s *Sectors) list(to []int32, most int) []int32 {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if sector := i*64 + bits.TrailingZeros64(w); sector < most {
				to = append(to, int32(sector))
			}
		}
	}
	return to
}

// margin is how many sectors a field covers on each side of a route. In a test of 10,000 ways, they were up to 1.07
// times as long as the shortest with a margin of 1, and up to 1.02 times with 2.
const margin = 2

// covering returns the sectors that a field along a route covers.
func (t *terrain) covering(route *Sectors) Sectors {
	s := *route
	for i := range s {
		s[i] &= t.all[i]
	}
	for range margin {
		s = t.widened(&s)
	}
	return s
}

// widened returns the set with the eight neighbours of each sector.
func (t *terrain) widened(s *Sectors) Sectors {
	east, west := s.shifted(1), s.shifted(-1)
	w := *s
	for i := range w {
		// A sector shifted out of a row at one end must not appear in the next row.
		w[i] |= east[i]&^t.west[i]&t.all[i] | west[i]&^t.east[i]
	}
	south, north := w.shifted(t.across), w.shifted(-t.across)
	for i := range w {
		w[i] = (w[i] | south[i] | north[i]) & t.all[i]
	}
	return w
}

// shifted returns the set with n added to the number of each sector. Sectors shifted out of the set are dropped.
func (s *Sectors) shifted(n int) (to Sectors) {
	for i := range to {
		low := i*64 - n // the bit that is shifted to the lowest place of word i
		word, bit := low>>6, low&63
		if uint(word) < uint(len(s)) {
			to[i] = s[word] >> bit
		}
		if uint(word+1) < uint(len(s)) { // a shift by 64 bits gives 0
			to[i] |= s[word+1] << (64 - bit)
		}
	}
	return to
}
