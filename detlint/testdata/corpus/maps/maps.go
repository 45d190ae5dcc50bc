// Package maps has ranges over maps: forms whose order cannot be seen, and their neighbours.
package maps

import (
	"cmp"
	"maps"
	"slices"
	"sort"
)

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

//tickback:deterministic
func collected(s *state) {
	var keys []int32
	for k := range s.m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	s.list = keys
}

//tickback:deterministic
func collectedUsedBeforeSorted(s *state) {
	var keys []int32
	for k := range s.m { // want maporder
		keys = append(keys, k)
	}
	if len(keys) > 0 {
		s.n = keys[0]
	}
	slices.Sort(keys)
	s.list = keys
}

//tickback:deterministic
func collectedSortedByPart(s *state) {
	var us []unit
	for _, u := range s.values { // want maporder
		us = append(us, u)
	}
	slices.SortStableFunc(us, func(a, b unit) int { return cmp.Compare(a.HP, b.HP) })
	s.n = us[0].ID
}

//tickback:deterministic
func collectedSortedByID(s *state) {
	var us []unit
	for _, u := range s.values {
		us = append(us, u)
	}
	slices.SortFunc(us, func(a, b unit) int { return cmp.Compare(a.ID, b.ID) })
	s.n = us[0].HP
}

//tickback:deterministic
func collectedSortedBySlice(s *state) {
	var keys []int32
	for k := range s.m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	s.list = keys
}

func sortedKeysOf(m map[int32]int32) []int32 {
	keys := make([]int32, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

//tickback:deterministic
func collectedByHelper(s *state) { s.list = sortedKeysOf(s.m) }

func keysOf(m map[int32]int32) []int32 {
	keys := make([]int32, 0, len(m))
	for k := range m { // want maporder
		keys = append(keys, k)
	}
	return keys
}

//tickback:deterministic
func unsortedByHelper(s *state) { s.list = keysOf(s.m) }

//tickback:deterministic
func unsorted(s *state) {
	for k := range s.m { // want maporder
		s.list = append(s.list, k)
	}
}

//tickback:deterministic
func onlyHowMany(s *state) {
	var keys []int32
	for k := range s.m {
		keys = append(keys, k)
	}
	s.n = int32(len(keys))
}

//tickback:deterministic
func firstOfAll(s *state) int32 {
	for k := range s.m { // want maporder
		return k
	}
	return 0
}

//tickback:deterministic
func firstThatFits(s *state) {
	for k, v := range s.m { // want maporder
		if v > 3 {
			s.n = k
			break
		}
	}
}

//tickback:deterministic
func whether(s *state) bool {
	for _, v := range s.m {
		if v > 3 {
			return true
		}
	}
	return false
}

//tickback:deterministic
func whetherByFlag(s *state) {
	found := false
	for _, v := range s.m {
		if v > 3 {
			found = true
			break
		}
	}
	s.seen = found
}

//tickback:deterministic
func untilEnough(s *state) {
	n := int32(0)
	for _, v := range s.m { // want maporder
		n += v
		if n > 10 {
			break
		}
	}
	s.n = n
}

//tickback:deterministic
func damageUntilDone(s *state) {
	left := int32(5)
	for _, u := range s.units { // want maporder
		if left == 0 {
			break
		}
		u.HP--
		left--
	}
}

//tickback:deterministic
func rebuilt(s *state) {
	other := map[int32]int32{}
	for k, v := range s.m {
		other[k] = v
	}
	s.m = other
}

//tickback:deterministic
func inverted(s *state) {
	other := map[int32]int32{}
	for k, v := range s.m { // want maporder
		other[v] = k
	}
	s.m = other
}

//tickback:deterministic
func setOfValues(s *state) {
	set := map[int32]bool{}
	for _, v := range s.m {
		set[v] = true
	}
	s.n = int32(len(set))
}

//tickback:deterministic
func histogram(s *state) {
	bins := map[int32]int32{}
	for _, v := range s.m {
		bins[v]++
	}
	s.m = bins
}

//tickback:deterministic
func groups(s *state) {
	by := map[int32][]int32{}
	for k, v := range s.m { // want maporder
		by[v] = append(by[v], k)
	}
	s.lists = by
}

//tickback:deterministic
func onBoard(s *state) {
	for k, v := range s.m { // want maporder
		s.board[k&63] = v // two keys may have one place
	}
}

//tickback:deterministic
func onBoardByKey(s *state) {
	for k, v := range s.m {
		s.board[k] = v
	}
}

//tickback:deterministic
func emptied(s *state) {
	for k, v := range s.m {
		if v == 0 {
			delete(s.m, k)
		}
	}
}

//tickback:deterministic
func othersDeleted(s *state) {
	for _, v := range s.m { // want maporder
		delete(s.m, v)
	}
}

//tickback:deterministic
func othersDeletedElsewhere(s *state) {
	for _, v := range s.m {
		delete(s.cells, place{v, 0})
	}
}

//tickback:deterministic
func grownMeanwhile(s *state) {
	for k, v := range s.m { // want maporder
		if v > 3 {
			s.m[k+1000] = 0
		}
	}
}

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
