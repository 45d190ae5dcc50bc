// Package boxed is a game for the verdict: proved but for. Its state has interfaces, in some of which there are functions
// that change what they have captured. That belongs to no state. Functions that end with the step are fine, in whatever
// interface they are.
package boxed

import (
	"container/list"
	"iter"
	"slices"
	"sync"

	"github.com/tickback/tickback/rollback"
)

type rule interface{ apply(s *state) bool }

// ruleFunc is a function that is a rule.
type ruleFunc func(s *state) bool

func (f ruleFunc) apply(s *state) bool { return f(s) }

// timer is a rule that has a function.
type timer struct{ due func() bool }

func (t *timer) apply(*state) bool { return t.due() }

// box is one for any type.
type box[T any] struct{ get func() T }

func (b box[T]) apply(*state) bool {
	b.get()
	return true
}

func boxOf[T any](get func() T) rule { return box[T]{get} }

// countdown is a rule without functions, which is saved like all of the state.
type countdown struct{ left int }

func (c *countdown) apply(*state) bool {
	c.left--
	return c.left == 0
}

type counter struct{ n int }

func (c *counter) hit() bool {
	c.n++
	return c.n == 3
}

type state struct {
	rules []rule
	named map[string]rule
	any   any
	due   *list.List
	tasks []func(units int)
	once  func() int8
	next  func() (int, bool)
	score int
}

type input struct{ fire bool }

func step(s *state, t *rollback.Tick[input]) {
	s.adds()
	s.hasFields()
	s.binds()
	s.hides()
	s.makes()
	s.contains()
	s.inserts()
	s.remembers()
	s.fine()
	for _, r := range s.rules {
		if r.apply(s) {
			s.score++
		}
	}
	if r := s.named["delayed"]; r != nil {
		r.apply(s)
	}
	if f, ok := s.any.(func(most int) bool); ok && f(2) {
		s.score++
	}
}

// adds makes an interface of a function.
func (s *state) adds() {
	left := 2
	s.rules = append(s.rules, ruleFunc(func(*state) bool {
		left-- // want unproved
		return left == 0
	}))
}

// hasFields has functions in fields of what it makes an interface.
func (s *state) hasFields() {
	left, n := 2, 0
	s.rules = append(s.rules, &timer{func() bool {
		left-- // want unproved
		return left == 0
	}}, boxOf(func() int {
		n++ // want unproved
		return n
	}))
}

// binds keeps a method with its receiver, to which nothing else in the state leads.
func (s *state) binds() {
	c := &counter{}
	s.rules = append(s.rules, &timer{c.hit}) // want unproved
}

// hides keeps a function as a value of any type.
func (s *state) hides() {
	n := 0
	s.any = func(most int) bool {
		n++ // want unproved
		return n > most
	}
}

// makes stores what another function makes.
func (s *state) makes() { s.named = map[string]rule{"delayed": delayed(3)} }

func delayed(n int) rule {
	return ruleFunc(func(*state) bool {
		n-- // want unproved
		return n == 0
	})
}

// contains keeps functions in a container of the library.
func (s *state) contains() {
	left := 3
	s.due.PushBack(func(units int) bool {
		left -= units // want unproved
		return left == 0
	})
	for e := s.due.Front(); e != nil; e = e.Next() {
		if e.Value.(func(units int) bool)(1) {
			s.score++
		}
	}
}

// inserts keeps what a function of the library has put into a list.
func (s *state) inserts() {
	n := 0
	s.tasks = slices.Insert(s.tasks, 0, func(units int) {
		n += units // want unproved
	})
	for _, f := range s.tasks {
		f(2)
	}
}

// remembers keeps functions of the library that remember something.
func (s *state) remembers() {
	if s.next == nil {
		s.next, _ = iter.Pull(numbers)                    // want unproved
		s.once = sync.OnceValue(func() int8 { return 1 }) // want unproved
	}
	s.score += int(s.once())
	if n, ok := s.next(); ok {
		s.score += n
	}
}

func numbers(yield func(int) bool) {
	for i := 0; yield(i); i++ {
	}
}

// fine has rules that end with the step, and one that is kept and has only fields.
func (s *state) fine() {
	n := 0
	try(s, ruleFunc(func(*state) bool {
		n++
		return n > 1
	}))
	for _, r := range []rule{ruleFunc(func(*state) bool { n++; return true }), &countdown{n}} {
		try(s, r)
	}
	s.rules = append(s.rules, &countdown{n})
	queue := list.New()
	queue.PushBack(func(least, most int) { n += least })
	queue.Front().Value.(func(least, most int))(1, 2)
	next, stop := iter.Pull(numbers)
	defer stop()
	n, _ = next()
	once := sync.OnceValue(func() int16 { return int16(n) })
	s.score += int(once() + once())
}

func try(s *state, r rule) {
	if r.apply(s) {
		s.score++
	}
}

var _ = rollback.OwnMemory[state, state, input]{Step: step}
