package maps

import (
	"cmp"
	"maps"
	"slices"
)

//tickback:deterministic
func eachChanged(s *state) {
	for k := range s.m {
		s.m[k]++
	}
}

//tickback:deterministic
func eachPointerChanged(s *state) {
	for _, u := range s.units {
		if u.HP > 0 {
			u.HP--
		}
	}
}

func (u *unit) hit(n int32) { u.HP -= n }

//tickback:deterministic
func eachPointerByMethod(s *state) {
	for _, u := range s.units {
		u.hit(2)
	}
}

func (s *state) spawn(id int32) { s.list = append(s.list, id) }

//tickback:deterministic
func spawnsByMethod(s *state) {
	for k := range s.m { // want maporder
		s.spawn(k)
	}
}

//tickback:deterministic
func spawnsByClosure(s *state) {
	spawn := func(id int32) { s.list = append(s.list, id) }
	for k := range s.m { // want maporder
		spawn(k)
	}
}

type spawner interface{ spawn(id int32) }

//tickback:deterministic
func spawnsByInterface(s *state) {
	var to spawner = s
	for k := range s.m { // want maporder
		to.spawn(k)
	}
}

func each[K comparable, V any](m map[K]V, f func(K, V)) {
	for k, v := range m { // want maporder
		f(k, v)
	}
}

//tickback:deterministic
func byGenericHelper(s *state) {
	each(s.m, func(k, _ int32) { s.list = append(s.list, k) })
}

func sumOf[K comparable](m map[K]int32) (t int32) {
	for _, v := range m {
		t += v
	}
	return t
}

//tickback:deterministic
func byGenericSum(s *state) { s.n = sumOf(s.m) + sumOf(s.cells) }

//tickback:deterministic
func numbered(s *state) {
	next := int32(0)
	for _, u := range s.units { // want maporder
		u.ID = next
		next++
	}
}

//tickback:deterministic
func drawsForEach(s *state) {
	seed := uint32(s.n)
	for _, u := range s.units { // want maporder
		seed = seed*1664525 + 1013904223
		u.HP = int32(seed >> 16)
	}
	s.n = int32(seed)
}

//tickback:deterministic
func nested(s *state) {
	for _, set := range s.sets {
		for k := range set {
			if s.m[k] == 0 {
				delete(set, k)
			}
		}
	}
}

//tickback:deterministic
func nestedLists(s *state) {
	for _, set := range s.sets { // want maporder
		for k := range set { // want maporder
			s.list = append(s.list, k)
		}
	}
}

//tickback:deterministic
func sortedKeys(s *state) {
	for _, k := range slices.Sorted(maps.Keys(s.m)) {
		s.list = append(s.list, k)
	}
}

//tickback:deterministic
func keysAsTheyCome(s *state) {
	s.list = slices.Collect(maps.Keys(s.m)) // want maporder
}

//tickback:deterministic
func keysSortedLater(s *state) {
	keys := slices.Collect(maps.Keys(s.m))
	slices.Sort(keys)
	s.list = keys
}

//tickback:deterministic
func rangeOverKeys(s *state) {
	for k := range maps.Keys(s.m) { // want maporder
		s.list = append(s.list, k)
	}
}

//tickback:deterministic
func rangeOverValues(s *state) {
	for v := range maps.Values(s.m) {
		s.n += v
	}
}

//tickback:deterministic
func copied(s *state) {
	other := maps.Clone(s.m)
	maps.Copy(other, map[int32]int32{1: 1})
	maps.DeleteFunc(other, func(_, v int32) bool { return v == 0 })
	s.m = other
}

//tickback:deterministic
func deletedWithAState(s *state) {
	maps.DeleteFunc(s.m, func(_, v int32) bool { // want maporder
		s.n++
		return s.n > v
	})
}

//tickback:deterministic
func compared(s *state) bool { return maps.Equal(s.m, map[int32]int32{1: 1}) }

//tickback:deterministic
func sortedByValue(s *state) {
	keys := slices.SortedFunc(maps.Keys(s.m), func(a, b int32) int { return cmp.Compare(s.m[a], s.m[b]) }) // want maporder sorttie
	s.list = keys
}

//tickback:deterministic
func sortedByValueAndKey(s *state) {
	s.list = slices.SortedFunc(maps.Keys(s.m), func(a, b int32) int { return cmp.Or(cmp.Compare(s.m[a], s.m[b]), cmp.Compare(a, b)) })
}

//tickback:deterministic
func lastOne(s *state) {
	last := int32(0)
	for k := range s.m { // want maporder
		last = k
	}
	s.n = last
}

//tickback:deterministic
func theOnlyOne(s *state) {
	if len(s.m) == 1 {
		for k := range s.m {
			s.n = k
		}
	}
}

//tickback:deterministic
func allTrue(s *state) bool {
	ok := true
	for _, v := range s.m {
		ok = ok && v > 0
	}
	return ok
}

//tickback:deterministic
func pairs(s *state) {
	for _, a := range s.units { // want maporder
		for _, b := range s.units {
			if a != b && a.HP == b.HP {
				b.HP--
			}
		}
	}
}

//tickback:deterministic
func errorOfFirst(s *state) error {
	for k, v := range s.m { // want maporder
		if v < 0 {
			return badKey(k)
		}
	}
	return nil
}

type badKey int32

func (badKey) Error() string { return "bad key" }

//tickback:deterministic
func panicsForAny(s *state) {
	for _, v := range s.m {
		if v < 0 {
			panic("a value is negative")
		}
	}
}

// Two functions that call each other: what one does, the other does, too, wherever one begins.

func (s *state) even(n int32) {
	if n > 0 {
		s.odd(n - 1)
	}
	s.n = 2*s.n + n
}

func (s *state) odd(n int32) {
	if n > 0 {
		s.even(n - 1)
	}
}

//tickback:deterministic
func spawnsInCircle(s *state) {
	s.even(3)
	for k := range s.m { // want maporder
		s.odd(k)
	}
}

func (s *state) evenly(n int32) bool { return n == 0 || s.oddly(n-1) }

func (s *state) oddly(n int32) bool { return n > 0 && s.evenly(n-1) }

//tickback:deterministic
func countsInCircle(s *state) {
	n := int32(0)
	for k := range s.m {
		if s.evenly(k) {
			n++
		}
	}
	s.n = n
}
