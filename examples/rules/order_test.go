package rules

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/tickback/tickback/rollback"
)

var prices = map[uint8]int32{1: 30, 2: 20, 3: 20, 4: 20, 5: 20, 6: 50}

// WRONG: four prices are the lowest, and the range meets any of them first.
func mapWrong(s *World, _ *rollback.Tick[Input]) {
	lowest := int32(math.MaxInt32)
	for kind, price := range prices {
		if price < lowest {
			s.Choice, lowest = kind, price
		}
	}
}

// RIGHT: the keys are sorted.
func mapRight(s *World, _ *rollback.Tick[Input]) {
	lowest := int32(math.MaxInt32)
	for _, kind := range slices.Sorted(maps.Keys(prices)) {
		if price := prices[kind]; price < lowest {
			s.Choice, lowest = kind, price
		}
	}
}

// WRONG: both paths are ready, and select takes either.
func goroutineWrong(s *World, _ *rollback.Tick[Input]) {
	left, right := make(chan int32, 1), make(chan int32, 1)
	var searches sync.WaitGroup
	searches.Go(func() { left <- distance(s.X, s.Aim) })
	searches.Go(func() { right <- distance(s.X, s.Way) })
	searches.Wait()
	select {
	case <-left:
		s.Choice = 1
	case <-right:
		s.Choice = 2
	}
}

// RIGHT: one thread, and a rule for two paths of the same length.
func goroutineRight(s *World, _ *rollback.Tick[Input]) {
	s.Choice = 1
	if distance(s.X, s.Way) < distance(s.X, s.Aim) {
		s.Choice = 2
	}
}

func distance(a, b [2]int32) int32 { return max(a[0]-b[0], b[0]-a[0]) + max(a[1]-b[1], b[1]-a[1]) }

// WRONG: units of the same life may end up in any order.
func sortWrong(s *World, _ *rollback.Tick[Input]) {
	slices.SortFunc(s.Units[:], func(a, b Unit) int { return cmp.Compare(a.Life, b.Life) })
}

// RIGHT: no two units are equal. (slices.SortStableFunc does it, too.)
func sortRight(s *World, _ *rollback.Tick[Input]) {
	slices.SortFunc(s.Units[:], func(a, b Unit) int {
		return cmp.Or(cmp.Compare(a.Life, b.Life), cmp.Compare(a.ID, b.ID))
	})
}
