// Package maps has ranges over maps: forms whose order cannot be seen, and their neighbours.
package maps

type unit struct{ ID, HP int32 }

type place struct{ X, Y int32 }

type state struct {
	m      map[int32]int32
	units  map[int32]*unit
	values map[int32]unit
	sets   map[int32]map[int32]bool
	lists  map[int32][]int32
	cells  map[place]int32
	list   []int32
	board  [64]int32
	n, k   int32
	seen   bool
	f      float64
}

//tickback:deterministic
func count(s *state) {
	for range s.m {
		s.n++
	}
}

//tickback:deterministic
func countIf(s *state) {
	n := int32(0)
	for _, v := range s.m {
		if v > 3 {
			n++
		}
	}
	s.n = n
}

//tickback:deterministic
func total(s *state) {
	t := int32(0)
	for _, v := range s.m {
		if v > 3 {
			t += v
		}
	}
	s.n = t
}

//tickback:deterministic
func totalOfFloats(s *state, m map[int32]float64) {
	for _, v := range m { // want maporder
		s.f += v
	}
}

//tickback:deterministic
func saturatingTotal(s *state) {
	for _, v := range s.m { // want maporder
		s.n = min(s.n+v, 100)
	}
}

//tickback:deterministic
func remainderOfTotal(s *state) {
	for _, v := range s.m { // want maporder
		s.n = (s.n*31 + v) % 1000003
	}
}

//tickback:deterministic
func xorOfAll(s *state) {
	h := int32(0)
	for k, v := range s.m {
		h ^= k*31 + v
	}
	s.n = h
}

//tickback:deterministic
func hashOfAll(s *state) uint64 {
	h := uint64(14695981039346656037)
	for k := range s.m { // want maporder
		h = (h ^ uint64(uint32(k))) * 1099511628211
	}
	return h
}

//tickback:deterministic
func largest(s *state) {
	best := int32(0)
	for _, v := range s.m {
		if v > best {
			best = v
		}
	}
	s.n = best
}

//tickback:deterministic
func largestByMax(s *state) {
	for _, v := range s.m {
		s.n = max(s.n, v)
	}
}

//tickback:deterministic
func largestAndSmallest(s *state) {
	lo, hi := int32(1<<30), int32(0)
	for _, v := range s.m {
		lo = min(lo, v)
		hi = max(hi, v)
	}
	s.n, s.k = lo, hi
}

//tickback:deterministic
func whoIsLargest(s *state) {
	best := int32(0)
	for k, v := range s.m { // want maporder
		if v > best {
			best, s.n = v, k
		}
	}
}

//tickback:deterministic
func whoIsLargestTieBroken(s *state) {
	best, who := int32(-1), int32(0)
	for k, v := range s.m {
		if v > best || v == best && k < who {
			best, who = v, k
		}
	}
	s.n = who
}

//tickback:deterministic
func whoIsLargestTieKept(s *state) {
	best, who := int32(-1), int32(0)
	for k, v := range s.m { // want maporder
		if v >= best {
			best, who = v, k
		}
	}
	s.n = who
}

//tickback:deterministic
func smallestKey(s *state) {
	first, found := int32(0), false
	for k := range s.m {
		if !found || k < first {
			first, found = k, true
		}
	}
	s.n = first
}

//tickback:deterministic
func pointerToWeakest(s *state) {
	var weakest *unit
	for _, u := range s.units { // want maporder
		if weakest == nil || u.HP < weakest.HP {
			weakest = u
		}
	}
	if weakest != nil {
		weakest.HP++
	}
}
