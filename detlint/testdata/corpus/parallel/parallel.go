// Package parallel has goroutines and what they need, and the stage of a world, in which they are
// allowed.
package parallel

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/world"
)

type state struct {
	n, k int32
	mu   sync.Mutex
	list []int32
	hits atomic.Int32
}

//tickback:deterministic
func goroutine(s *state) {
	go func() { s.n++ }() // want concurrency
}

func worker(s *state) { s.n++ }

func start(s *state) { go worker(s) } // want concurrency

//tickback:deterministic
func goroutineInHelper(s *state) { start(s) }

//tickback:deterministic
func group(s *state) {
	var g sync.WaitGroup
	g.Go(func() { s.n++ }) // want concurrency
	g.Wait()               // want concurrency
}

//tickback:deterministic
func channel(s *state) {
	c := make(chan int32, 1) // want concurrency
	c <- s.n                 // want concurrency
	s.n = <-c                // want concurrency
}

//tickback:deterministic
func received(s *state, c <-chan int32) {
	for x := range c { // want concurrency
		s.n += x
	}
}

//tickback:deterministic
func selected(s *state, a, b <-chan int32) {
	select { // want concurrency
	case x := <-a:
		s.n = x
	case x := <-b:
		s.n = -x
	}
}

//tickback:deterministic
func polled(s *state, a <-chan int32) {
	select { // want concurrency
	case x := <-a:
		s.n = x
	default:
	}
}

//tickback:deterministic
func locked(s *state) {
	s.mu.Lock() // want concurrency
	defer s.mu.Unlock()
	s.n++
}

//tickback:deterministic
func atomically(s *state) { s.n = s.hits.Add(1) } // want concurrency

//tickback:deterministic
func atomicFunction(s *state) { s.n = atomic.AddInt32(&s.k, 1) } // want concurrency

//tickback:deterministic
func cancelled(s *state, ctx context.Context) {
	if ctx.Err() != nil { // want concurrency
		s.n++
	}
}

//tickback:deterministic
func syncMap(s *state, m *sync.Map) {
	m.Range(func(_, _ any) bool { // want maporder
		s.n++
		return true
	})
}

var table = sync.OnceValue(func() []int32 { return []int32{1, 2, 3} })

//tickback:deterministic
func once(s *state) { s.n = table()[1] }

//tickback:deterministic
func sequential(s *state) {
	for _, work := range []func(){func() { s.n++ }, func() { s.k++ }} {
		work()
	}
}

//tickback:deterministic
func deferred(s *state) {
	defer func() { s.n++ }()
	s.k++
}

//tickback:deterministic
func pushed(s *state) {
	numbers := func(yield func(int32) bool) {
		for i := range int32(3) {
			if !yield(i) {
				return
			}
		}
	}
	for i := range numbers {
		s.n += i
	}
}

type units struct {
	world.Table
	HP world.Column[int32]
}

type land struct{ Units units }

//tickback:deterministic
func stage(w *land) {
	world.Stage(w, &w.Units.Table, func(w *land, c world.Chunk) {
		hp := w.Units.HP.Write(c)
		for row := range c.Live() {
			*hp.At(row)--
		}
	})
}

var total int32

//tickback:deterministic
func stageThatShares(w *land) {
	world.Stage(w, &w.Units.Table, func(w *land, c world.Chunk) {
		hp := w.Units.HP.Read(c)
		for row := range c.Live() {
			total += hp.At(row) // want globals
		}
	})
}

//tickback:deterministic
func stageWithGoroutine(w *land) {
	world.Stage(w, &w.Units.Table, func(w *land, c world.Chunk) {
		go func() { *w.Units.HP.Write(c).At(0)++ }() // want concurrency
	})
}

//tickback:deterministic
func stageThatWritesCaptured(w *land) int32 {
	sum := int32(0)
	world.Stage(w, &w.Units.Table, func(w *land, c world.Chunk) {
		sum += int32(c.Len()) // want concurrency
	})
	return sum
}

//tickback:deterministic
func stageThatReadsCaptured(w *land) {
	damage := int32(len(w.Units.path()))
	world.Stage(w, &w.Units.Table, func(w *land, c world.Chunk) {
		hp := w.Units.HP.Write(c)
		for row := range c.Live() {
			*hp.At(row) -= damage
		}
	})
}

func (u *units) path() string { return "units" }

type tally struct {
	land
	n    int32
	sums world.Sum[int32]
}

//tickback:deterministic
func stageThatWritesContext(w *tally) {
	world.Stage(w, &w.Units.Table, func(w *tally, c world.Chunk) {
		w.n += int32(c.Len()) // want concurrency
	})
}

//tickback:deterministic
func stageThatSums(w *tally) {
	world.Stage(w, &w.Units.Table, func(w *tally, c world.Chunk) { w.sums.Add(c, int32(c.Len())) })
	w.n = w.sums.Take()
}

type lives struct{ N int32 }

// worldly is a game whose state is a world.
//
//corpus:case
func worldly() world.Game[land, lives] {
	return world.Game[land, lives]{
		Init: func(w *land) { total = 0 }, // want globals
		Step: func(w *land, t *rollback.Tick[lives]) { w.Units.HP.Get(w.Units.At(0)) },
	}
}

type field struct{ Units units }

// fair is a game whose state is a world, and whose step does nothing else.
//
//corpus:case
func fair() world.Game[field, lives] {
	return world.Game[field, lives]{Step: func(w *field, t *rollback.Tick[lives]) {
		world.Stage(w, &w.Units.Table, func(w *field, c world.Chunk) { *w.Units.HP.Write(c).At(0)++ })
	}}
}
