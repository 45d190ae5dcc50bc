// Package corpus has small functions, each a root. A line with a comment "want RULE" has a
// finding, and no other line has one.
package corpus

import (
	"maps"
	"slices"
	"sort"
	"time"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rollback"
)

type unit struct{ ID, HP int32 }

type state struct {
	m     map[int32]int32
	list  []int32
	units []unit
	n     int32
	x     fixed.Num
	f     float64
}

type doer interface{ do(s *state) }

type now struct{}

func (now) do(s *state) { s.n = int32(time.Now().Unix()) } // want clock

type quiet struct{}

func (quiet) do(s *state) { s.n++ }

var counter int32

//tickback:deterministic
func viaInterface(s *state) {
	for _, d := range []doer{now{}, quiet{}} {
		d.do(s)
	}
}

//tickback:deterministic
func viaClosure(s *state) {
	f := func() { counter++ } // want globals
	f()
}

func apply[T any](list []T, f func(T)) {
	for _, x := range list {
		f(x)
	}
}

func sleeps(int32) { time.Sleep(1) } // want clock

//tickback:deterministic
func viaGeneric(s *state) { apply(s.list, sleeps) }

//tickback:deterministic
func count(s *state) {
	for range s.m {
		s.n++
	}
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
func whoIsLargest(s *state) {
	best := int32(0)
	for k, v := range s.m { // want maporder
		if v > best {
			best, s.n = v, k
		}
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
func unsorted(s *state) {
	for k := range s.m { // want maporder
		s.list = append(s.list, k)
	}
}

//tickback:deterministic
func first(s *state) int32 {
	for k := range s.m { // want maporder
		return k
	}
	return 0
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
func emptied(s *state) {
	for k, v := range s.m {
		if v == 0 {
			delete(s.m, k)
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
func keysInOrderOfNothing(s *state) {
	s.list = slices.Collect(maps.Keys(s.m)) // want maporder
}

//tickback:deterministic
func product(s *state) { s.x = s.x * s.x } // want fixedops

//tickback:deterministic
func doubled(s *state) { s.x = s.x * 2 }

//tickback:deterministic
func scaled(s *state) { s.x = fixed.Num(s.n) * fixed.One / 7 }

//tickback:deterministic
func added(s *state) { s.x += s.x } // want fixedwrap

//tickback:deterministic
func byMethods(s *state) { s.x = s.x.Mul(s.x).Add(s.x) }

//tickback:deterministic
func fused(s *state) { s.f = s.f*s.f + 1 } // want fusedfloat

//tickback:deterministic
func rounded(s *state) { s.f = float64(s.f*s.f) + 1 }

//tickback:deterministic
func narrowed(s *state) { s.n = int32(s.f) } // want floatint

//tickback:deterministic
func bounded(s *state) {
	if s.f > -100 && s.f < 100 {
		s.n = int32(s.f)
	}
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
func guessed(s *state, t *rollback.Tick[int8]) {
	if t.Status(0) == rollback.Confirmed { // want status
		s.n++
	}
}

//tickback:deterministic
func gone(s *state, t *rollback.Tick[int8]) {
	if t.Status(0) == rollback.Disconnected {
		s.n++
	}
}

//tickback:deterministic
func suppressed() {
	time.Sleep(1) //detlint:ignore clock this case shows a reason
}

//tickback:deterministic
func useless(s *state) {
	s.n++ //detlint:ignore clock there is no clock // want ignore
}
