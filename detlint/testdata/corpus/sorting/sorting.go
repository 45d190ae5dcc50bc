// Package sorting has sorts and priority queues, with ties and without.
package sorting

import (
	"cmp"
	"container/heap"
	"slices"
	"sort"
	"strings"
)

type unit struct {
	ID, HP int32
	Name   string
}

type pair struct{ A, B int32 }

type state struct {
	units []unit
	list  []int32
	pairs []pair
	names []string
	n     int32
}

//tickback:deterministic
func tied(s *state) {
	sort.Slice(s.units, func(i, j int) bool { return s.units[i].HP < s.units[j].HP }) // want sorttie
}

//tickback:deterministic
func untied(s *state) {
	sort.Slice(s.units, func(i, j int) bool { return s.units[i].ID < s.units[j].ID })
}

//tickback:deterministic
func tiedFunc(s *state) {
	slices.SortFunc(s.units, func(a, b unit) int { return cmp.Compare(a.HP, b.HP) }) // want sorttie
}

//tickback:deterministic
func tiedDescending(s *state) {
	slices.SortFunc(s.units, func(a, b unit) int { return int(b.HP - a.HP) }) // want sorttie
}

//tickback:deterministic
func tiedByMethodOfField(s *state) {
	slices.SortFunc(s.units, func(a, b unit) int { // want sorttie
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
}

//tickback:deterministic
func brokenTie(s *state) {
	slices.SortFunc(s.units, func(a, b unit) int {
		return cmp.Or(cmp.Compare(a.HP, b.HP), cmp.Compare(a.ID, b.ID))
	})
}

//tickback:deterministic
func brokenTieByIf(s *state) {
	sort.Slice(s.units, func(i, j int) bool {
		if s.units[i].HP != s.units[j].HP {
			return s.units[i].HP < s.units[j].HP
		}
		return s.units[i].ID < s.units[j].ID
	})
}

//tickback:deterministic
func allFields(s *state) {
	slices.SortFunc(s.pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
}

//tickback:deterministic
func stable(s *state) {
	slices.SortStableFunc(s.units, func(a, b unit) int { return cmp.Compare(a.HP, b.HP) })
	sort.SliceStable(s.units, func(i, j int) bool { return s.units[i].HP > s.units[j].HP })
}

//tickback:deterministic
func whole(s *state) {
	slices.Sort(s.list)
	sort.Strings(s.names)
	sort.Ints(nil)
	slices.SortFunc(s.list, cmp.Compare[int32])
}

//tickback:deterministic
func wholeDescending(s *state) {
	slices.SortFunc(s.list, func(a, b int32) int { return cmp.Compare(b, a) })
}

//tickback:deterministic
func byLength(s *state) {
	slices.SortFunc(s.names, func(a, b string) int { return cmp.Compare(len(a), len(b)) }) // want sorttie
}

//tickback:deterministic
func byMagnitude(s *state) {
	slices.SortFunc(s.list, func(a, b int32) int { return cmp.Compare(a*a, b*b) }) // want sorttie
}

//tickback:deterministic
func byRemainder(s *state) {
	sort.Slice(s.list, func(i, j int) bool { return s.list[i]%10 < s.list[j]%10 }) // want sorttie
}

func weaker(a, b unit) int { return cmp.Compare(a.HP, b.HP) }

//tickback:deterministic
func tiedByNamedFunction(s *state) { slices.SortFunc(s.units, weaker) } // want sorttie

func older(a, b unit) int { return cmp.Compare(a.ID, b.ID) }

//tickback:deterministic
func untiedByNamedFunction(s *state) { slices.SortFunc(s.units, older) }

//tickback:deterministic
func tiedByVariable(s *state) {
	by := weaker
	if s.n > 0 {
		by = older
	}
	slices.SortFunc(s.units, by) // want sorttie
}

type byHP []unit

func (l byHP) Len() int           { return len(l) }
func (l byHP) Less(i, j int) bool { return l[i].HP < l[j].HP }
func (l byHP) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

//tickback:deterministic
func tiedType(s *state) { sort.Sort(byHP(s.units)) } // want sorttie

//tickback:deterministic
func tiedTypeReversed(s *state) { sort.Sort(sort.Reverse(byHP(s.units))) } // want sorttie

//tickback:deterministic
func tiedTypeStable(s *state) { sort.Stable(byHP(s.units)) }

type byID []unit

func (l byID) Len() int           { return len(l) }
func (l byID) Less(i, j int) bool { return l[i].ID < l[j].ID }
func (l byID) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

//tickback:deterministic
func untiedType(s *state) { sort.Sort(byID(s.units)) }

type queue []unit

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].HP < q[j].HP }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(unit)) }
func (q *queue) Pop() any {
	old := *q
	u := old[len(old)-1]
	*q = old[:len(old)-1]
	return u
}

//tickback:deterministic
func tiedQueue(s *state) {
	q := queue(s.units)
	heap.Init(&q)
	s.n = heap.Pop(&q).(unit).ID // want sorttie
}

type fair []unit

func (q fair) Len() int { return len(q) }
func (q fair) Less(i, j int) bool {
	if q[i].HP == q[j].HP {
		return q[i].ID < q[j].ID
	}
	return q[i].HP < q[j].HP
}
func (q fair) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *fair) Push(x any)   { *q = append(*q, x.(unit)) }
func (q *fair) Pop() any {
	old := *q
	u := old[len(old)-1]
	*q = old[:len(old)-1]
	return u
}

//tickback:deterministic
func untiedQueue(s *state) {
	q := fair(s.units)
	heap.Init(&q)
	heap.Push(&q, unit{})
	s.n = heap.Pop(&q).(unit).ID
}

//tickback:deterministic
func searched(s *state) {
	i, _ := slices.BinarySearch(s.list, 3)
	j := sort.Search(len(s.list), func(i int) bool { return s.list[i] >= 3 })
	s.n = int32(i + j)
}

//tickback:deterministic
func bestOfList(s *state) {
	u := slices.MinFunc(s.units, weaker) // the first one, as the language of slices says
	s.n = u.ID
}

// Compare compares by a part, whatever its name is.
func Compare(a, b unit) int { return cmp.Compare(a.HP, b.HP) }

//tickback:deterministic
func tiedByOwnCompare(s *state) { slices.SortFunc(s.units, Compare) } // want sorttie
