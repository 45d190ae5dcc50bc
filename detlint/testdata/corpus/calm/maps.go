package calm

import (
	"cmp"
	"maps"
	"math"
	"math/bits"
	"slices"
)

//tickback:deterministic
func eachAliveInOrder(s *state) {
	for _, id := range slices.Sorted(maps.Keys(s.alive)) {
		s.alive[id].HP--
		s.free = append(s.free, id)
	}
}

//tickback:deterministic
func countOwned(s *state) {
	var owned [4]int32
	for _, p := range s.owners {
		owned[p]++
	}
	s.score = owned
}

//tickback:deterministic
func anyAlive(s *state) {
	s.phase = over
	for _, u := range s.alive {
		if u.HP > 0 {
			s.phase = playing
			break
		}
	}
}

//tickback:deterministic
func removeUnowned(s *state) {
	for at, p := range s.owners {
		if p < 0 {
			delete(s.owners, at)
		}
	}
}

//tickback:deterministic
func maximumOfMap(s *state) {
	best := int32(math.MinInt32)
	for _, p := range s.owners {
		best = max(best, p)
	}
	s.n = best
}

//tickback:deterministic
func bitsOfMap(s *state) {
	mask := uint64(0)
	for _, p := range s.owners {
		mask |= 1 << uint(p&63)
	}
	s.n = int32(bits.OnesCount64(mask))
}

//tickback:deterministic
func invertedSorted(s *state) {
	type entry struct {
		at cell
		p  int32
	}
	var all []entry
	for at, p := range s.owners {
		all = append(all, entry{at, p})
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.p, b.p), cmp.Compare(a.at.X, b.at.X), cmp.Compare(a.at.Y, b.at.Y))
	})
	for i, e := range all {
		s.ring[i%16] = e.p
	}
}

//tickback:deterministic
func sortedLists(s *state) {
	for _, words := range s.tags {
		slices.Sort(words)
	}
}

//tickback:deterministic
func sharedEntry(s *state) {
	for name, words := range s.tags {
		s.tags[name] = append(words, "x")
	}
}

//tickback:deterministic
func grouped(s *state) {
	by := map[int32][]int32{}
	for _, u := range s.units {
		by[u.Target] = append(by[u.Target], u.ID)
	}
	for _, target := range slices.Sorted(maps.Keys(by)) {
		s.n += int32(len(by[target])) * target
	}
}

//tickback:deterministic
func totalOfLists(s *state) {
	n := 0
	for _, words := range s.tags {
		for _, w := range words {
			n += len(w)
		}
	}
	s.n = int32(n)
}

//tickback:deterministic
func copiedMap(s *state) map[int32]int32 {
	out := make(map[int32]int32, len(s.alive))
	for id, u := range s.alive {
		if u.HP > 0 {
			out[id] = u.HP
		}
	}
	return out
}
