package calm

import (
	"container/list"
	"iter"
	"math/big"
	"slices"
)

//tickback:deterministic
func bigNumbers(s *state) {
	s.l = new(big.Int).Exp(big.NewInt(3), big.NewInt(int64(s.n&15)), nil).Int64()
}

//tickback:deterministic
func linked(s *state) {
	l := list.New()
	for i := range s.units {
		l.PushBack(s.units[i].ID)
	}
	for e := l.Front(); e != nil; e = e.Next() {
		s.n += e.Value.(int32)
	}
}

func evens(list []int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for _, x := range list {
			if x%2 == 0 && !yield(x) {
				return
			}
		}
	}
}

//tickback:deterministic
func iterated(s *state) {
	for x := range evens(s.free) {
		s.n += x
	}
}

//tickback:deterministic
func collectedIterator(s *state) { s.free = slices.Collect(evens(s.free)) }

//tickback:deterministic
func chunks(s *state) {
	for part := range slices.Chunk(s.free, 4) {
		s.n += part[0]
	}
}

type number interface{ ~int32 | ~int64 }

func sumOf[T number](list []T) (t T) {
	for _, x := range list {
		t += x
	}
	return t
}

//tickback:deterministic
func generic(s *state) { s.n = sumOf(s.free) }

type stack[T any] struct{ items []T }

func (k *stack[T]) push(x T) { k.items = append(k.items, x) }

func (k *stack[T]) pop() (x T, ok bool) {
	if len(k.items) == 0 {
		return x, false
	}
	x, k.items = k.items[len(k.items)-1], k.items[:len(k.items)-1]
	return x, true
}

//tickback:deterministic
func genericStack(s *state) {
	var k stack[int32]
	k.push(s.n)
	if x, ok := k.pop(); ok {
		s.n = x
	}
}

type system interface{ run(s *state) }

type gravity struct{ pull int32 }

func (g gravity) run(s *state) { s.n -= g.pull }

type wind struct{}

func (wind) run(s *state) { s.n++ }

//tickback:deterministic
func systems(s *state) {
	for _, x := range [...]system{gravity{2}, wind{}} {
		x.run(s)
	}
}

var table = [...]func(*state){func(s *state) { s.n++ }, func(s *state) { s.n-- }}

//tickback:deterministic
func dispatched(s *state) { table[s.n&1](s) }

//tickback:deterministic
func closures(s *state) {
	spent := int32(0)
	pay := func(n int32) bool {
		if spent+n > 10 {
			return false
		}
		spent += n
		return true
	}
	for i := range s.units {
		if pay(s.units[i].HP) {
			s.n++
		}
	}
}

//tickback:deterministic
func memoised(s *state) int32 {
	memo := map[int32]int32{}
	var fib func(n int32) int32
	fib = func(n int32) int32 {
		if n < 2 {
			return n
		}
		if m, ok := memo[n]; ok {
			return m
		}
		memo[n] = fib(n-1) + fib(n-2)
		return memo[n]
	}
	return fib(s.n & 31)
}

var costs = map[string]int32{"axe": 3, "bow": 5}

//tickback:deterministic
func priced(s *state) { s.n = costs[s.text] }

var squares = func() (t [16]int32) {
	for i := range t {
		t[i] = int32(i * i)
	}
	return t
}()

//tickback:deterministic
func tabled(s *state) { s.n = squares[s.n&15] }
