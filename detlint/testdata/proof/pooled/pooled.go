// Package pooled is a game for the verdict: proved but for. It takes objects of its state from pools, and gives them back:
// the pools do not go back when the state does. What is used and given back within a step is fine.
package pooled

import (
	"sync"

	"github.com/tickback/tickback/rollback"
)

type bullet struct{ x, dx int }

func (b *bullet) Reset() { *b = bullet{} }

type state struct {
	bullets []*bullet
	named   map[string]*bullet
	bytes   []byte
	score   int
}

type input struct{ fire bool }

var (
	pool  = sync.Pool{New: func() any { return new(bullet) }}
	lists = sync.Pool{New: func() any { return new([]byte) }}
	marks = sync.Pool{New: func() any { return map[int]bool{} }}
)

func step(s *state, t *rollback.Tick[input]) {
	s.fires()
	s.retires()
	s.byHelper()
	s.aliases()
	s.scratch()
	s.borrows()
	s.marked()
}

// fires takes what it keeps.
func (s *state) fires() {
	b := pool.Get().(*bullet) // want unproved
	b.Reset()
	s.bullets = append(s.bullets, b)
}

// retires gives away what older states have.
func (s *state) retires() {
	n := len(s.bullets) - 1
	pool.Put(s.bullets[n]) // want unproved
	s.bullets = s.bullets[:n]
}

// byHelper does both by functions.
func (s *state) byHelper() {
	if old := s.named["first"]; old != nil {
		give(old)
	}
	s.named["first"] = take()
}

func take() *bullet {
	b := pool.Get().(*bullet) // want unproved
	*b = bullet{dx: 1}
	return b
}

func give(b *bullet) { pool.Put(b) } // want unproved

// aliases keeps the memory of a list, though not the list.
func (s *state) aliases() {
	list := lists.Get().(*[]byte) // want unproved
	*list = (*list)[:0]
	s.bytes = append(*list, 1)
	lists.Put(list)
}

// scratch uses a list within the step.
func (s *state) scratch() {
	list := lists.Get().(*[]byte)
	defer lists.Put(list)
	*list = (*list)[:0]
	*list = append(*list, byte(s.score), 1)
	s.score += len(*list)
}

// borrows uses an object by functions, and gives it back in one that is deferred.
func (s *state) borrows() {
	b := borrow()
	defer func() {
		b.Reset()
		lend(b)
	}()
	b.x = s.score
	move(b)
	s.score = b.x
}

func borrow() *bullet {
	b := pool.Get().(*bullet)
	b.Reset()
	return b
}

func lend(b *bullet) { pool.Put(b) }

func move(b *bullet) { b.x += b.dx }

// marked uses a map, and keeps what it has counted.
func (s *state) marked() {
	seen := marks.Get().(map[int]bool)
	clear(seen)
	for _, b := range s.bullets {
		seen[b.x] = true
	}
	s.score += len(seen)
	marks.Put(seen)
}

var _ = rollback.OwnMemory[state, state, input]{Step: step}
