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
func waiting(s *state, c chan int32, full [2]chan int32) {
	s.n = int32(len(c)) // want concurrency
	s.n += int32(len(full))
}

//tickback:deterministic
func counted(s *state, full []chan int32) {
	s.n = int32(len(full))
}

//tickback:deterministic
func known(s *state, c chan int32) {
	if c == nil {
		s.n = 0
	}
}

//tickback:deterministic
func closed(s *state, c chan int32) {
	if s.n > 100 {
		close(c) // want concurrency
	}
	defer close(c) // want concurrency
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

type bag struct{ n, last int32 }

func (b *bag) add(n int32) {
	b.n += n   // want concurrency
	b.last = n // want concurrency
}

type ownBag struct{ n, last int32 }

func (b *ownBag) add(n int32) { b.n, b.last = n, b.n }

// setting is what the work of a stage gets, with memory outside of the world.
type setting struct {
	*land
	all   bag
	bags  []ownBag
	sums  []int32
	seen  map[int]bool
	moved int32
}

//tickback:deterministic
func stageOfMethods(w *land) {
	s := &setting{land: w, bags: make([]ownBag, 3), sums: make([]int32, 900)}
	world.Stage(s, &w.Units.Table, (*setting).toAll)
	world.Stage(s, &w.Units.Table, (*setting).toOwn)
	world.Stage(w, &w.Units.Table, func(_ *land, c world.Chunk) { s.toOwn(c) })
	world.Stage(s, &w.Units.Table, (*setting).inALoop)
	world.Tasks(w, s, 3, (*setting).task)
	world.Tasks(w, s, 3, (*setting).taskThatShares)
	for i := range s.sums {
		w.Units.HP.Set(w.Units.At(i), s.sums[i])
	}
}

func (s *setting) toAll(c world.Chunk) {
	all := &s.all
	for range c.Live() {
		all.add(1)
	}
	s.seen[c.First()] = true // want concurrency
}

func (s *setting) toOwn(c world.Chunk) {
	own := &s.bags[c.First()/world.Rows]
	sums := s.sums[c.First():]
	local := ownBag{}
	for row := range c.Live() {
		own.add(1)
		local.add(2)
		sums[row] = local.n
		s.sums[c.First()+row]++
	}
}

func (s *setting) inALoop(c world.Chunk) {
	least := int32(0)
	for row := range c.Live() {
		s.moved++     // want concurrency
		s.sums[row]++ // want concurrency
		least = min(least, int32(row))
	}
}

func (s *setting) task(n int) {
	s.bags[n].add(1)
	for i := range s.sums[n*300 : n*300+300] {
		s.sums[n*300+i] = int32(i)
	}
}

func (s *setting) taskThatShares(n int) {
	s.all.last = int32(n) // want concurrency
	s.sums[0]++           // want concurrency
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

// drawn shows a snapshot.
//
//corpus:case
func drawn(n *world.Snapshot) int32 {
	v := world.ViewOf[tally](n)
	hp, _ := v.Units.HP.Get(v.Units.At(0))
	return v.n + hp
}

// drawnOver changes what it shows.
//
//corpus:case
func drawnOver(n *world.Snapshot) {
	v := world.ViewOf[tally](n)
	v.n++                            // want view
	v.Units.HP.Set(v.Units.At(0), 1) // want view
}
