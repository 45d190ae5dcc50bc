package maps

import (
	"cmp"
	"slices"
	"sort"
)

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
