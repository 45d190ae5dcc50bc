// Package reach has ways that lead from a root to a mistake, and ways that do not.
package reach

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/tickback/tickback/detlint/testdata/corpus/reach/far"
	"github.com/tickback/tickback/rollback"
)

type state struct {
	n    int32
	l    int64
	list []int32
	text string
}

type doer interface{ do(s *state) }

type now struct{}

func (now) do(s *state) { s.n = int32(time.Now().Unix()) } // want clock

type quiet struct{}

func (quiet) do(s *state) { s.n++ }

//tickback:deterministic
func viaInterface(s *state) {
	for _, d := range []doer{now{}, quiet{}} {
		d.do(s)
	}
}

type actor interface{ act(s *state) }

type calm struct{}

func (calm) act(s *state) { s.n++ }

type hasty struct{}

func (hasty) act(s *state) { s.n = int32(time.Now().Unix()) } // nothing reached makes one

//tickback:deterministic
func viaQuietInterface(s *state) {
	var a actor = calm{}
	a.act(s)
}

func useHasty() actor { return hasty{} }

//tickback:deterministic
func viaClosure(s *state) {
	f := func() { s.l = time.Now().Unix() } // want clock
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

func rests(int64) {}

//tickback:deterministic
func viaQuietGeneric(s *state) { apply([]int64{s.l}, rests) }

type number interface{ value() int64 }

type wall struct{}

func (wall) value() int64 { return time.Now().Unix() } // want clock

func valueOf[N number](n N) int64 { return n.value() }

//tickback:deterministic
func viaConstraint(s *state) { s.l = valueOf(wall{}) }

//tickback:deterministic
func viaPackage(s *state) { s.l = far.Stamp() }

//tickback:deterministic
func viaMethodValue(s *state) { s.l = far.Apply(far.Clock{}.Now) }

type base struct{}

func (base) tick(s *state) { s.l = time.Now().Unix() } // want clock

type derived struct{ base }

//tickback:deterministic
func viaEmbedding(s *state) { derived{}.tick(s) }

type rule func(*state)

var book = map[string]rule{
	"clock": func(s *state) { s.l = time.Now().Unix() }, // want clock
}

//tickback:deterministic
func viaTable(s *state) { book[s.text](s) }

//tickback:deterministic
func viaDefer(s *state) {
	defer func() { s.l = time.Now().Unix() }() // want clock
}

type loud struct{ n int32 }

func (l loud) String() string { return time.Now().String() } // want clock environment

//tickback:deterministic
func viaStringer(s *state) { s.text = fmt.Sprint(loud{s.n}) }

//tickback:deterministic
func viaSort(s *state) {
	slices.SortFunc(s.list, func(a, b int32) int {
		s.l = time.Now().Unix() // want clock
		return cmp.Compare(a, b)
	})
}

type slowly []int32

func (l slowly) Len() int           { return len(l) }
func (l slowly) Less(i, j int) bool { time.Sleep(1); return l[i] < l[j] } // want clock
func (l slowly) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

//tickback:deterministic
func viaSortInterface(s *state) { sort.Sort(slowly(s.list)) }

//tickback:deterministic
func viaMap(s *state) {
	s.text = strings.Map(func(r rune) rune {
		time.Sleep(1) // want clock
		return r
	}, s.text)
}

func recursive(s *state, n int) {
	if n == 0 {
		s.l = time.Now().Unix() // want clock
		return
	}
	recursive(s, n-1)
}

//tickback:deterministic
func viaRecursion(s *state) { recursive(s, 3) }

func debugOnly(s *state) { s.l = time.Now().Unix() }

// notARoot is called by nothing that is reached.
//
//corpus:case
func notARoot(s *state) { debugOnly(s) }

//tickback:deterministic
func quietAll(s *state) {
	f := func(x int32) { s.n += x }
	apply(s.list, f)
	s.text = strings.ToUpper(s.text)
	s.text = fmt.Sprint(s.n)
	slices.SortFunc(s.list, func(a, b int32) int { return cmp.Compare(b, a) })
}

type input struct{ Move int8 }

type play struct{ N int64 }

func step(s *play, t *rollback.Tick[input]) { s.N = time.Now().Unix() } // want clock

// given is a game whose step is a function by its name.
//
//corpus:case
func given() rollback.Game[play, input] { return rollback.Game[play, input]{Step: step} }

type started struct{ N int64 }

// initialised is a game whose state 0 depends on the clock.
//
//corpus:case
func initialised() rollback.Game[started, input] {
	g := rollback.Game[started, input]{}
	g.Init = func(s *started) { s.N = time.Now().Unix() } // want clock
	return g
}

type chosen struct{ N int64 }

func stepOf(hard bool) func(*chosen, *rollback.Tick[input]) {
	if hard {
		return func(s *chosen, t *rollback.Tick[input]) { s.N = time.Now().Unix() } // want clock
	}
	return func(s *chosen, t *rollback.Tick[input]) { s.N++ }
}

// returned is a game whose step is what a function returns.
//
//corpus:case
func returned(hard bool) rollback.Game[chosen, input] {
	return rollback.Game[chosen, input]{Step: stepOf(hard)}
}

type drawn struct{ N int64 }

func frameTime() int64 { return time.Now().Unix() }

// outside is a game whose step is quiet, while what draws it is not.
//
//corpus:case
func outside() (rollback.Game[drawn, input], func() int64) {
	return rollback.Game[drawn, input]{Step: func(s *drawn, t *rollback.Tick[input]) { s.N++ }}, frameTime
}
