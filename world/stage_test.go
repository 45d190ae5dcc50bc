package world

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// arena is a world that is advanced by stages.
type arena struct {
	Units units
	Dead  Later[Entity]
	Hits  Later[hit]
	Born  Later[vec]
	Sum   Sum[int64]
	Near  Scratch[[]int32]
	Total One[int64]
	Log   One[uint64]
	Frame One[uint32]
}

func newArena(t testing.TB, n int) *arena {
	t.Helper()
	w, err := New[arena]()
	if err != nil {
		t.Fatal(err)
	}
	Update(w, func(w *arena) {
		for i := range n {
			e, err := w.Units.Spawn()
			if err != nil {
				t.Fatal(err)
			}
			w.Units.Pos.Set(e, vec{int64(i * 7919 % 1000), int64(i * 104729 % 1000)})
			w.Units.Health.Set(e, 20+int32(i%30))
		}
	})
	return w
}

// aim chooses targets: it reads all chunks as they were before the stage, and writes its own.
func aim(w *arena, c Chunk) {
	pos, near := w.Units.Pos.Write(c), w.Near.For(c)
	for row := range c.Live() {
		*near = (*near)[:0]
		p := pos.At(row)
		before := w.Units.Pos.Before(c).At(row)
		other := w.Units.At((c.First() + row*31 + 17) % 900)
		if o, ok := w.Units.Pos.Get(other); ok {
			p.X += (o.X - before.X) / 4 // of another chunk: as it was before the stage
			*near = append(*near, int32(o.Y))
		}
		for _, y := range *near {
			p.Y += int64(y-int32(before.Y)) / 8
		}
		if other != 0 && p.X&3 == 0 {
			w.Units.Target.PutRow(c, row, other)
		} else {
			w.Units.Target.DropRow(c, row)
		}
		w.Sum.Add(c, p.X*1<<50) // it wraps
	}
}

// fight pushes commands that concern other chunks.
func fight(w *arena, c Chunk) {
	health := w.Units.Health.Read(c)
	for row := range w.Units.Target.Rows(c) {
		e := w.Units.Target.Read(c).At(row)
		w.Hits.Push(c, hit{e, 1 + health.At(row)%3})
	}
	for row := range c.Live() {
		if health.At(row) <= 0 {
			w.Dead.Push(c, c.Entity(row))
			w.Born.Push(c, vec{int64(row), int64(c.First())})
		}
	}
}

func (w *arena) step() {
	Stage(w, &w.Units.Table, aim)
	Stage(w, &w.Units.Table, fight)
	log := w.Log.Get()
	for h := range w.Hits.DrainSorted(func(a, b hit) int { return int(a.Amount - b.Amount) }) {
		if health, ok := w.Units.Health.Get(h.Who); ok {
			w.Units.Health.Set(h.Who, health-h.Amount)
		}
		log = log*31 + uint64(h.Who) // the order counts
	}
	for e := range w.Dead.Drain() {
		if w.Units.Kill(e) != nil {
			panic("dead twice")
		}
	}
	for v := range w.Born.Drain() {
		e, _ := w.Units.Spawn()
		w.Units.Pos.Set(e, v)
		w.Units.Health.Set(e, 40)
	}
	w.Log.Set(log)
	w.Total.Set(w.Total.Get() + w.Sum.Take())
	w.Frame.Set(w.Frame.Get() + 1)
}

func (w *arena) update() { Update(w, (*arena).step) }

// Rule: the result of stages does not depend on the number of workers, on their order, or on the number of processors,
// in any state of a match, and rollbacks do not change it.
func TestStagesComputeTheSame(t *testing.T) {
	frames, units := 1000, 3000
	if testing.Short() {
		frames, units = 40, 1500
	}
	if checked {
		frames /= 20 // every access determines its goroutine
	}
	r := random(t)
	var worlds []*arena
	for _, workers := range []int{1, 2, 3, 8, 0, 2} {
		w := newArena(t, units)
		SetWorkers(w, workers)
		worlds = append(worlds, w)
	}
	var mu sync.Mutex
	delays := rand.New(rand.NewPCG(r.Uint64(), 2))
	for _, w := range worlds[3:] { // scheduled at random
		storeOf(w).delay = func(int32) {
			mu.Lock()
			n := delays.IntN(4)
			mu.Unlock()
			for range n {
				runtime.Gosched()
			}
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	saved := Save(worlds[5])
	for frame := range frames {
		runtime.GOMAXPROCS(1 + frame%4)
		for i, w := range worlds {
			if i < 5 {
				w.update()
			}
		}
		for at := ViewOf[arena](saved).Frame.Get(); at <= uint32(frame); at++ { // the last one rolls back
			worlds[5].update()
		}
		if r.IntN(3) == 0 {
			saved.Release()
			saved = Save(worlds[5])
		} else if frame+1 < frames {
			Restore(worlds[5], saved)
			if ViewOf[arena](saved).Frame.Get()+8 < uint32(frame) {
				for worlds[5].Frame.Get() <= uint32(frame) {
					worlds[5].update()
				}
				saved.Release()
				saved = Save(worlds[5])
			}
		}
		for i, w := range worlds[:5] {
			if Hash(w) != Hash(worlds[0]) {
				t.Fatalf("frame %d: the world of %d workers differs", frame, []int{1, 2, 3, 8, 0}[i])
			}
		}
	}
	if Hash(worlds[5]) != Hash(worlds[0]) {
		t.Error("the world that rolled back differs")
	}
	if w := worlds[0]; w.Log.Get() == 0 || w.Total.Get() == 0 || w.Units.Len() == 0 {
		t.Error("nothing has happened")
	}
}

// The negative control: a stage whose work depends on the order of chunks is found by the hash.
func TestADependentStageIsNoticed(t *testing.T) {
	var hashes []uint64
	for _, first := range []int32{0, 1} {
		w, order := newArena(t, 600), 0
		SetWorkers(w, 1)
		Update(w, func(w *arena) {
			s := storeOf(w)
			Stage(w, &w.Units.Table, func(w *arena, c Chunk) {
				if order++; s.chunks[0] == 0 && first == 1 && order == 1 {
					order = 100
				}
				cells := w.Units.Health.Write(c)
				for row := range c.Live() {
					*cells.At(row) += int32(order) // shared by all chunks
				}
			})
		})
		hashes = append(hashes, Hash(w))
	}
	if hashes[0] == hashes[1] {
		t.Error("the hash does not show it")
	}
}

// Rule: it does not matter which chunk has pushed a command if the order distinguishes commands.
func TestProducersMayBeShuffled(t *testing.T) {
	r := random(t)
	var want []hit
	for round := range 4 + rounds(16) {
		w := newArena(t, 2000)
		commands := make([]hit, 500)
		for i := range commands {
			commands[i] = hit{Entity(i % 100), int32(i)}
		}
		r.Shuffle(len(commands), func(i, j int) { commands[i], commands[j] = commands[j], commands[i] })
		Update(w, func(w *arena) {
			Stage(&struct {
				*arena
				list []hit
			}{w, commands}, &w.Units.Table, func(w *struct {
				*arena
				list []hit
			}, c Chunk,
			) {
				for i := c.First() / Rows; i < len(w.list); i += 8 {
					w.Hits.Push(c, w.list[i])
				}
			})
			got := slices.Collect(w.Hits.DrainSorted(func(a, b hit) int {
				return slices.Compare([]int64{int64(a.Who), int64(a.Amount)}, []int64{int64(b.Who), int64(b.Amount)})
			}))
			if round == 0 {
				want = got
			}
			if len(got) != 500 || !slices.Equal(got, want) {
				t.Fatal("the order depends on who has pushed")
			}
		})
	}
}

// Rule: a stage writes rows of its own chunk, and no others; nothing else changes in it. Misuse is reported with part
// and row.
func TestAStageWritesItsChunkOnly(t *testing.T) {
	for _, workers := range []int{1, 2} {
		w := newArena(t, 600)
		SetWorkers(w, workers)
		e := w.Units.At(300)
		var outer Chunk
		for outer = range w.Units.Chunks() {
		}
		for name, c := range map[string]struct {
			do   func(w *arena, c Chunk)
			want error
			text string
		}{
			"Set":       {func(w *arena, _ Chunk) { w.Units.Health.Set(e, 1) }, ErrInStage, "Units.Health row 300: Set"},
			"Put":       {func(w *arena, _ Chunk) { w.Units.Target.Put(e, e) }, ErrInStage, "Units.Target row 300: Put"},
			"One":       {func(w *arena, _ Chunk) { w.Total.Set(1) }, ErrInStage, "Total: Write"},
			"Take":      {func(w *arena, _ Chunk) { w.Sum.Take() }, ErrInStage, "Sum: Take"},
			"Drain":     {func(w *arena, _ Chunk) { w.Hits.Drain()(nil) }, ErrInStage, "Hits: Drain"},
			"Stage":     {func(w *arena, _ Chunk) { Stage(w, &w.Units.Table, aim) }, ErrInStage, "Units: Stage"},
			"Save":      {func(w *arena, _ Chunk) { Save(w) }, ErrInStage, "Save"},
			"other":     {func(w *arena, _ Chunk) { w.Units.Health.Write(outer) }, ErrOtherChunk, "Units.Health row 512: Write"},
			"other row": {func(w *arena, _ Chunk) { w.Units.Target.PutRow(outer, 3, e) }, ErrOtherChunk, "Units.Target row 512: PutRow"},
			"push":      {func(w *arena, _ Chunk) { w.Hits.Push(outer, hit{}) }, ErrOtherChunk, "Hits row 512: Push"},
			"Spawn": {func(w *arena, _ Chunk) {
				if _, err := w.Units.Spawn(); err != nil {
					panic(err)
				}
			}, ErrInStage, "Units: Spawn"},
			"Kill": {func(w *arena, _ Chunk) {
				if err := w.Units.Kill(e); err != nil {
					panic(err)
				}
			}, ErrInStage, "Units row 300: Kill"},
		} {
			before := Hash(w)
			var err error
			Update(w, func(w *arena) {
				err = mustPanic(t, func() { Stage(w, &w.Units.Table, c.do) })
			})
			var staged *StagePanic
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) || !errors.As(err, &staged) || staged.Table != "Units" || staged.Chunk != 0 {
				t.Errorf("%s: %v", name, err)
			}
			if Hash(w) != before {
				t.Errorf("%s has changed something", name)
			}
		}
	}
	w := newArena(t, 3)
	if err := mustPanic(t, func() { Stage(w, &w.Units.Table, aim) }); !errors.Is(err, ErrNotInStep) {
		t.Error(err)
	}
}

// Rule: the panic of a worker reaches the caller with its chunk, the lowest one of several, and the world can be
// restored and used after that.
func TestPanicsOfWorkersReachTheCaller(t *testing.T) {
	for _, workers := range []int{1, 4} {
		w := newArena(t, 3000)
		SetWorkers(w, workers)
		s := Save(w)
		var err error
		failing := func(w *arena) {
			Stage(w, &w.Units.Table, func(w *arena, c Chunk) {
				w.Hits.Push(c, hit{})
				w.Units.Health.Write(c).At(0)
				if n := c.First() / Rows; n == 4 || n == 7 {
					panic(fmt.Sprint("chunk ", n))
				}
			})
		}
		err = mustPanic(t, func() { Update(w, failing) })
		var staged *StagePanic
		if !errors.As(err, &staged) || staged.Chunk != 4 || staged.Value != "chunk 4" || !strings.Contains(err.Error(), "rows 1024 to 1279") || len(staged.Stack) == 0 {
			t.Fatal(err)
		}
		Restore(w, s)
		if w.update(); Hash(w) != hashOf(t, 3000) {
			t.Error("the world is not usable after a panic")
		}
	}
}

func hashOf(t *testing.T, n int) uint64 {
	w := newArena(t, n)
	w.update()
	return Hash(w)
}

// Rule: with two workers two chunks run at the same time: one that waits for another chunk gets its signal.
func TestChunksRunAtTheSameTime(t *testing.T) {
	if !threads {
		t.Skip("a world works alone here")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	w := newArena(t, 2*Rows)
	SetWorkers(w, 2)
	begun := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
	Update(w, func(w *arena) {
		Stage(&begun, &w.Units.Table, func(begun *[2]chan struct{}, c Chunk) {
			n := c.First() / Rows
			close(begun[n])
			select {
			case <-begun[1-n]:
			case <-time.After(time.Minute):
				t.Errorf("chunk %d runs alone", n)
			}
		})
	})
}

// Rule: no goroutine is left after a stage.
func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	w := newArena(t, 4000)
	SetWorkers(w, 8)
	for range 50 {
		w.update()
	}
	deadline := time.Now().Add(10 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		runtime.Gosched() // one that has finished may still be about to end
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines before, %d after", before, n)
	}
}

// Rule: stages allocate nothing once the world has its memory, whether they run on one goroutine or
// on several.
func TestStagesAllocateNothing(t *testing.T) {
	if checked {
		t.Skip("this build looks for misuse, and allocates for that")
	}
	for _, workers := range []int{1, 3} {
		w := newArena(t, 600+rounds(2400))
		SetWorkers(w, workers)
		s := Save(w)
		tick := func() {
			s = saveIn(w, s)
			w.update()
		}
		for range 50 + rounds(150) {
			tick()
		}
		if n := testing.AllocsPerRun(20+rounds(80), tick); n >= 1 {
			t.Errorf("%v allocations with %d workers", n, workers)
		}
	}
}

// Rule: commands that a step leaves behind are a mistake, which is reported; a drain removes all.
func TestCommandsMustBeDrained(t *testing.T) {
	w := newArena(t, 3)
	push := func(w *arena) {
		Stage(w, &w.Units.Table, func(w *arena, c Chunk) {
			for i := range int32(5) {
				w.Hits.Push(c, hit{Amount: i})
			}
		})
	}
	if err := mustPanic(t, func() { Update(w, push) }); !errors.Is(err, ErrLeft) || !strings.Contains(err.Error(), "Hits") {
		t.Error(err)
	}
	Update(w, func(w *arena) {
		if push(w); w.Hits.Len() != 5 {
			t.Errorf("%d commands wait", w.Hits.Len())
		}
		for h := range w.Hits.Drain() {
			if h.Amount == 1 {
				break // the rest is dropped
			}
			if err := mustPanic(t, func() {
				for range w.Hits.Drain() {
				}
			}); !errors.Is(err, ErrInDrain) {
				t.Error(err)
			}
		}
		if w.Hits.Len() != 0 {
			t.Error("commands are left")
		}
		push(w)
		for c := range w.Units.Chunks() {
			w.Hits.Push(c, hit{Amount: 7}) // outside of a stage
		}
		var got []int32
		for h := range w.Hits.DrainSorted(func(a, b hit) int { return int(b.Amount - a.Amount) }) {
			got = append(got, h.Amount)
		}
		if !slices.Equal(got, []int32{7, 4, 3, 2, 1, 0}) {
			t.Error(got)
		}
		for c := range w.Units.Chunks() {
			w.Sum.Add(c, 1<<62)
			w.Sum.Add(c, 1<<62)
			w.Sum.Add(c, 5)
		}
		if sum := w.Sum.Take(); sum != -1<<63+5 || w.Sum.Take() != 0 {
			t.Errorf("the sum is %d: it does not wrap", sum)
		}
	})
	for c := range w.Units.Chunks() {
		if err := mustPanic(t, func() { w.Hits.Push(c, hit{}) }); !errors.Is(err, ErrOutsideStep) {
			t.Error(err)
		}
	}
}
