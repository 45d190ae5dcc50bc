package maps

import (
	"cmp"
	"slices"
)

// The best entry, kept by pointer.

//tickback:deterministic
func weakest(s *state) {
	var best *unit
	for _, u := range s.units { // want maporder
		if best == nil || u.HP < best.HP {
			best = u
		}
	}
	best.HP = 0
}

//tickback:deterministic
func weakestOfTwoFields(s *state) {
	var best *unit
	for _, u := range s.units {
		if best == nil || u.HP < best.HP || u.HP == best.HP && u.ID < best.ID {
			best = u
		}
	}
	best.HP = 0
}

//tickback:deterministic
func weakestByCompare(s *state) {
	var best *unit
	for _, u := range s.units {
		if best == nil || cmp.Or(cmp.Compare(u.HP, best.HP), cmp.Compare(u.ID, best.ID)) < 0 {
			best = u
		}
	}
	best.HP = 0
}

func weaker(a, b *unit) bool { return a.HP < b.HP || a.HP == b.HP && a.ID < b.ID }

func softer(a, b *unit) bool { return a.HP < b.HP }

//tickback:deterministic
func weakestByFunction(s *state) {
	var best *unit
	for _, u := range s.units {
		if best == nil || weaker(u, best) {
			best = u
		}
	}
	best.HP = 0
}

//tickback:deterministic
func softest(s *state) {
	var best *unit
	for _, u := range s.units { // want maporder
		if best == nil || softer(u, best) {
			best = u
		}
	}
	best.HP = 0
}

//tickback:deterministic
func otherFields(s *state) {
	var best *unit
	for _, u := range s.units { // want maporder
		if best == nil || u.ID < best.HP {
			best = u
		}
	}
	best.HP = 0
}

//tickback:deterministic
func sameID(s *state) {
	var best *unit
	for _, u := range s.units { // want maporder
		if best == nil || u.ID != best.ID && u.HP < best.HP {
			best = u
		}
	}
	best.HP = 0
}

//tickback:deterministic
func bestMeanwhile(s *state) {
	var best *unit
	for _, u := range s.units { // want maporder
		if best == nil || u.ID < best.ID {
			best = u
		}
		s.n += best.HP
	}
}

// Lists that are filled by index, and sorted.

//tickback:deterministic
func filled(s *state) {
	list := make([]int32, len(s.m))
	i := 0
	for k := range s.m {
		list[i] = k
		i++
	}
	slices.Sort(list)
	s.list = list
}

//tickback:deterministic
func filledAndNotSorted(s *state) {
	list := make([]int32, len(s.m))
	i := 0
	for k := range s.m { // want maporder
		list[i] = k
		i++
	}
	s.list = list
}

//tickback:deterministic
func filledAndUsedBefore(s *state) {
	list := make([]int32, len(s.m))
	i := 0
	for k := range s.m { // want maporder
		list[i] = k
		i++
	}
	s.n = list[0]
	slices.Sort(list)
	s.list = list
}

// Sums in another map, which other things are done to.

//tickback:deterministic
func sumsAndProducts(s *state) {
	totals := map[int32]int32{}
	for k, v := range s.m { // want maporder
		if k&1 == 0 {
			totals[v] += 3
		} else {
			totals[v] *= 2
		}
	}
	s.n = totals[1]
}

//tickback:deterministic
func sumsAndReads(s *state) {
	totals := map[int32]int32{}
	for _, v := range s.m { // want maporder
		totals[v&3] += v
		if totals[0] > 10 {
			s.n = 1
		}
	}
}

//tickback:deterministic
func sumsAndDifferences(s *state) {
	totals := map[int32]int32{}
	for k, v := range s.m {
		totals[v] += k
		totals[v+1] -= k
	}
	s.n = totals[1]
}

//tickback:deterministic
func sumsOfTwoMaps(s *state) {
	sums, products := map[int32]int32{}, map[int32]int32{}
	for k, v := range s.m {
		sums[v] += k
		products[v] *= k
	}
	s.n = sums[1] + products[1]
}
