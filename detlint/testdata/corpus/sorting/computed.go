package sorting

import (
	"cmp"
	"slices"
	"sort"
)

// What is compared is computed of several fields, or by a function.

type spot struct {
	X, Y, HP int32
	Owner    ownerID
}

type ownerID int32

//tickback:deterministic
func byDistance(list []spot) {
	slices.SortFunc(list, func(a, b spot) int { return int(a.X*a.X + a.Y*a.Y - b.X*b.X - b.Y*b.Y) }) // want sorttie
}

//tickback:deterministic
func byLengthOfWay(list []spot) {
	slices.SortFunc(list, func(a, b spot) int { return cmp.Compare(a.X*a.X+a.Y*a.Y, b.X*b.X+b.Y*b.Y) }) // want sorttie
}

//tickback:deterministic
func byLengthOfWayAndNumber(list []spot) {
	slices.SortFunc(list, func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.X*a.X+a.Y*a.Y, b.X*b.X+b.Y*b.Y), cmp.Compare(a.Owner, b.Owner))
	})
}

func size(n int32) int32 {
	if n < 0 {
		return -n
	}
	return n
}

//tickback:deterministic
func bySize(list []int32) {
	slices.SortFunc(list, func(a, b int32) int { return cmp.Compare(size(a), size(b)) }) // want sorttie
}

//tickback:deterministic
func bySizeAndSign(list []int32) {
	slices.SortFunc(list, func(a, b int32) int { return cmp.Or(cmp.Compare(size(a), size(b)), cmp.Compare(a, b)) })
}

//tickback:deterministic
func byTypeOfField(list []spot) {
	slices.SortFunc(list, func(a, b spot) int { return cmp.Compare(a.Owner, b.Owner) })
}

//tickback:deterministic
func byDifference(list []int32) {
	slices.SortFunc(list, func(a, b int32) int { return int(a) - int(b) })
}

// Two lists that are sorted as one.
type ranked struct {
	names []string
	ranks []int32
}

func (r ranked) Len() int           { return len(r.names) }
func (r ranked) Less(i, j int) bool { return r.ranks[i] < r.ranks[j] }
func (r ranked) Swap(i, j int) {
	r.names[i], r.names[j] = r.names[j], r.names[i]
	r.ranks[i], r.ranks[j] = r.ranks[j], r.ranks[i]
}

//tickback:deterministic
func byRank(r ranked) { sort.Sort(r) } // want sorttie

type both struct{ ranked }

func (b both) Less(i, j int) bool {
	return b.ranks[i] < b.ranks[j] || b.ranks[i] == b.ranks[j] && b.names[i] < b.names[j]
}

//tickback:deterministic
func byRankAndName(b both) { sort.Sort(b) }
