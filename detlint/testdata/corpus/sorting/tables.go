package sorting

import (
	"cmp"
	"slices"
	"sort"
)

// army keeps its units by columns: what is sorted are rows, by what a column says of them.
type army struct {
	HP    [8]int32
	Speed []int32
	ID    [8]int32
	rank  map[int]int32
	order []int
}

var strength [8]int32

//tickback:deterministic
func tiedByColumn(s *army) {
	sort.Slice(s.order, func(i, j int) bool { return s.HP[s.order[i]] < s.HP[s.order[j]] }) // want sorttie
}

//tickback:deterministic
func tiedByColumnOfLocal(s *army) {
	order := []int{0, 1, 2, 3}
	sort.Slice(order, func(i, j int) bool { return s.HP[order[i]] < s.HP[order[j]] }) // want sorttie
	s.order = order
}

//tickback:deterministic
func tiedBySliceColumn(s *army) {
	sort.Slice(s.order, func(i, j int) bool { return s.Speed[s.order[i]] > s.Speed[s.order[j]] }) // want sorttie
}

//tickback:deterministic
func tiedByColumnFunc(s *army) {
	slices.SortFunc(s.order, func(a, b int) int { return cmp.Compare(s.HP[a], s.HP[b]) }) // want sorttie
}

//tickback:deterministic
func tiedBySliceColumnFunc(s *army) {
	speed := s.Speed
	slices.SortFunc(s.order, func(a, b int) int { return int(speed[a] - speed[b]) }) // want sorttie
}

//tickback:deterministic
func tiedByMap(s *army) {
	slices.SortFunc(s.order, func(a, b int) int { return cmp.Compare(s.rank[a], s.rank[b]) }) // want sorttie
}

//tickback:deterministic
func tiedByTable(s *army) {
	slices.SortFunc(s.order, func(a, b int) int { return cmp.Compare(strength[a], strength[b]) }) // want sorttie
}

//tickback:deterministic
func tiedByFirst(s [][2]int32) {
	slices.SortFunc(s, func(a, b [2]int32) int { return cmp.Compare(a[0], b[0]) }) // want sorttie
}

//tickback:deterministic
func tiedByFirstOfSlice(s [][]int32) {
	sort.Slice(s, func(i, j int) bool { return s[i][0] < s[j][0] }) // want sorttie
}

//tickback:deterministic
func untiedByColumn(s *army) {
	sort.Slice(s.order, func(i, j int) bool {
		a, b := s.order[i], s.order[j]
		if s.HP[a] != s.HP[b] {
			return s.HP[a] < s.HP[b]
		}
		return a < b
	})
}

//tickback:deterministic
func untiedByColumnFunc(s *army) {
	slices.SortFunc(s.order, func(a, b int) int { return cmp.Or(cmp.Compare(s.HP[a], s.HP[b]), a-b) })
}

//tickback:deterministic
func untiedByNumbers(s *army) {
	slices.SortFunc(s.order, func(a, b int) int { return cmp.Compare(s.ID[a], s.ID[b]) })
}

//tickback:deterministic
func untiedPairs(s [][2]int32) {
	slices.SortFunc(s, func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
}

// rows sorts rows of an army.
type rows struct {
	of   *army
	list []int
}

func (r rows) Len() int      { return len(r.list) }
func (r rows) Swap(i, j int) { r.list[i], r.list[j] = r.list[j], r.list[i] }

type byStrength struct{ rows }

func (r byStrength) Less(i, j int) bool { return r.of.HP[r.list[i]] < r.of.HP[r.list[j]] }

//tickback:deterministic
func tiedRows(s *army) { sort.Sort(byStrength{rows{s, s.order}}) } // want sorttie

type byNumber struct{ rows }

func (r byNumber) Less(i, j int) bool { return r.list[i] < r.list[j] }

//tickback:deterministic
func untiedRows(s *army) { sort.Sort(byNumber{rows{s, s.order}}) }

// Number is unique.
func (s *army) Number(row int) int32 { return s.ID[row] }

func (s *army) life(row int) int32 { return s.HP[row] }

//tickback:deterministic
func tiedByMethodOfTable(s *army) {
	slices.SortFunc(s.order, func(a, b int) int { return cmp.Compare(s.life(a), s.life(b)) }) // want sorttie
}

//tickback:deterministic
func untiedByMethodOfTable(s *army) {
	slices.SortFunc(s.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.life(a), s.life(b)), cmp.Compare(s.Number(a), s.Number(b)))
	})
}

//tickback:deterministic
func untiedWords(s [][4]byte) {
	sort.Slice(s, func(i, j int) bool {
		for k := range s[i] {
			if s[i][k] != s[j][k] {
				return s[i][k] < s[j][k]
			}
		}
		return false
	})
}

//tickback:deterministic
func untiedPosition(s *army) {
	for i := 1; i < len(s.order); i++ { // a sort of one's own keeps what is equal
		for j := i; j > 0 && s.HP[s.order[j]] < s.HP[s.order[j-1]]; j-- {
			s.order[j], s.order[j-1] = s.order[j-1], s.order[j]
		}
	}
}

//tickback:deterministic
func byChangingOrder(s *state) {
	by := older
	for range 3 {
		slices.SortFunc(s.units, by) // want sorttie
		if s.n > 0 {
			by = weaker
		}
	}
}

//tickback:deterministic
func bySharedOrder(s *state) {
	by := older
	again := func() { by, s.n = older, 1 }
	for range 3 {
		was := by
		slices.SortFunc(s.units, by)
		again()
		by = was
	}
}
