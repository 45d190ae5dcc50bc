package world

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// processors sets the number of processors for a test.
func processors(t *testing.T, n int) {
	old := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
}

// doing is a worker of a test.
type doing func(i int)

func (d doing) item(i int) { d(i) }

// Rule: a crew processes each item once, and has processed all when it returns, whichever worker is slow, and whether
// the waiting ones sleep by then or not.
func TestACrewDoesEachItemOnce(t *testing.T) {
	processors(t, 3)
	c := newCrew()
	slow := atomic.Int32{}
	for round := range rounds(600) {
		items := round % 20
		done := make([]int, items) // not atomic: the race detector notices if run returns too early
		c.run(doing(func(i int) {
			if (i+round)%5 == 0 { // so that workers other than the caller are slow, too
				slow.Add(1)
				time.Sleep(time.Millisecond) // longer than any worker waits awake
			}
			done[i]++
		}), items, round%4)
		for i, n := range done {
			if n != 1 {
				t.Fatalf("round %d: item %d of %d was done %d times", round, i, items, n)
			}
		}
		if c.do != nil {
			t.Fatal("the crew keeps what it has done")
		}
	}
	if slow.Load() == 0 {
		t.Error("nobody was slow")
	}
	leaves(t, c)
}

// leaves fails if goroutines remain in a crew.
func leaves(t *testing.T, c *workerPool) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for c.staff.Load() > 0 && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	if n := c.staff.Load(); n != 0 {
		t.Errorf("%d goroutines are left", n)
	}
}

// Rule: whoever finishes the last item wakes the goroutine that sleeps, once, and nobody wakes one that is awake.
func TestTheLastItemWakesTheSleeper(t *testing.T) {
	for _, sleeps := range []bool{true, false} {
		c := newCrew()
		c.do, c.items = doing(func(int) {}), 1
		c.asleep.Store(sleeps)
		for _, left := range []int64{2, 1} { // first somebody else is still busy with an item
			c.left.Store(left)
			c.rest.Store(1)
			c.help()
			if woken, want := c.wake.TryLock(), sleeps && left == 1; woken != want || c.asleep.Load() != (sleeps && left == 2) {
				t.Errorf("asleep: %v, %d items left: it is woken: %v, and asleep after that: %v", sleeps, left, woken, c.asleep.Load())
			}
		}
	}
}

// Rule: several goroutines work if there are processors for them, at most as many as there are workers, and only one if
// there is one processor.
func TestWorkersAreUsed(t *testing.T) {
	if !threads {
		t.Skip("there are no threads here")
	}
	for _, c := range []struct{ processors, workers, most int }{{3, 3, 3}, {3, 2, 2}, {2, 0, 2}, {1, 8, 1}, {3, 1, 1}} {
		processors(t, c.processors)
		w := newArena(t, 3000)
		SetWorkers(w, c.workers)
		running, most := atomic.Int32{}, atomic.Int32{}
		storeOf(w).delay = func(int32) {
			n := running.Add(1)
			for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
			}
			time.Sleep(200 * time.Microsecond)
			running.Add(-1)
		}
		for range rounds(50) {
			w.update()
		}
		if n := int(most.Load()); n != c.most {
			t.Errorf("%d processors and %d workers: %d chunks ran at a time, want %d", c.processors, c.workers, n, c.most)
		}
	}
}

// Rule: nothing keeps a world alive that is no longer referenced, once its last stage is over.
func TestADroppedWorldIsCollected(t *testing.T) {
	processors(t, 2)
	gone := make(chan bool, 1)
	func() {
		w := newArena(t, 3000)
		SetWorkers(w, 2)
		for range 10 {
			w.update()
		}
		leaves(t, storeOf(w).pool)
		runtime.AddCleanup(w, func(gone chan bool) { gone <- true }, gone)
	}()
	for range 200 {
		runtime.GC()
		select {
		case <-gone:
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
	t.Error("the world is kept")
}

// sums is the context of tasks.
type sums struct {
	*arena
	of []int64 // by task
}

// sum adds up the positions of every n-th unit.
func (s *sums) sum(task int) {
	n := 0
	for c := range s.Units.Chunks() {
		pos := s.Units.Pos.Read(c)
		for row := range c.Live() {
			if n++; n%len(s.of) == task {
				s.of[task] = s.of[task]*31 + pos.At(row).X
			}
		}
	}
}

// Rule: tasks read the world, each is run once, and with any number of workers the result is the same.
func TestTasksComputeTheSame(t *testing.T) {
	processors(t, 4)
	var want []int64
	for _, workers := range []int{1, 2, 3, 8, 0} {
		w := newArena(t, 2000)
		SetWorkers(w, workers)
		for _, n := range []int{0, 1, 7} {
			s := &sums{w, make([]int64, n)}
			Update(w, func(w *arena) {
				Tasks(w, s, n, (*sums).sum)
				Stage(w, &w.Units.Table, func(*arena, Chunk) {}) // they do not affect each other
			})
			if n < 7 {
				continue
			}
			if want == nil {
				want = s.of
			}
			if !slices.Equal(s.of, want) || slices.Contains(s.of, 0) {
				t.Fatalf("%d workers: %v, want %v", workers, s.of, want)
			}
		}
	}
}

// Rule: a task changes nothing in the world; misuse is reported, and so is the lowest task that has panicked. The world
// can be used after that.
func TestTasksOnlyRead(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(w *arena, c Chunk)
		want error
	}{
		"Set":   {func(w *arena, _ Chunk) { w.Units.Health.Set(w.Units.At(0), 1) }, ErrInStage},
		"Write": {func(w *arena, c Chunk) { w.Units.Health.Write(c) }, ErrOtherChunk},
		"Push":  {func(w *arena, c Chunk) { w.Hits.Push(c, hit{}) }, ErrOtherChunk},
		"Tasks": {func(w *arena, _ Chunk) { Tasks(w, w, 1, func(*arena, int) {}) }, ErrInStage},
		"Stage": {func(w *arena, _ Chunk) { Stage(w, &w.Units.Table, aim) }, ErrInStage},
	} {
		for _, workers := range []int{1, 2} {
			w := newArena(t, 600)
			SetWorkers(w, workers)
			before := Hash(w)
			var err error
			Update(w, func(w *arena) {
				err = mustPanic(t, func() {
					Tasks(w, w, 6, func(w *arena, task int) {
						if task < 2 {
							return
						}
						for k := range w.Units.Chunks() {
							c.do(w, k)
						}
					})
				})
			})
			var staged *StagePanic
			if !errors.Is(err, c.want) || !errors.As(err, &staged) || staged.Table != "" || staged.Chunk != 2 || !strings.HasPrefix(err.Error(), "world: task 2: ") {
				t.Errorf("%s, %d workers: %v", name, workers, err)
			}
			if Hash(w) != before {
				t.Errorf("%s has changed something", name)
			}
			w.update()
		}
	}
	w := newArena(t, 3)
	if err := mustPanic(t, func() { Tasks(w, w, 1, func(*arena, int) {}) }); !errors.Is(err, ErrNotInStep) {
		t.Error(err)
	}
}

// Rule: tasks can be interrupted where stages can be, and allocate nothing.
func TestTasksPauseAndAllocateNothing(t *testing.T) {
	processors(t, 2)
	w := newArena(t, 600)
	SetWorkers(w, 2)
	s := &sums{w, make([]int64, 5)}
	pauses := 0
	storeOf(w).pause = func(work int) { pauses += work }
	update := func(w *arena) { Tasks(w, s, 5, (*sums).sum) }
	Update(w, update)
	if storeOf(w).pause = nil; pauses != 5*Rows {
		t.Errorf("it has paused for %d rows", pauses)
	}
	if checked {
		return // it allocates to detect misuse
	}
	for range 50 {
		Update(w, update)
	}
	if n := testing.AllocsPerRun(100, func() { Update(w, update) }); n >= 1 {
		t.Errorf("%v allocations", n)
	}
}
