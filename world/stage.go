package world

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// threads says whether goroutines can run at the same time.
const threads = runtime.GOARCH != "wasm"

// stager runs stages. Its goroutines live only while a stage runs: what is waited for cannot leak.
type stager struct {
	stage    uint32 // the number of the stage that runs; 0: none
	stages   uint32
	workers  int  // at most so many goroutines work; 0: one for each processor
	parallel bool // several do

	chunks []int32 // of the stage, those in which something lives
	jobs   []runner
	job    runner
	table  *Table
	next   atomic.Int32 // of chunks
	wait   sync.WaitGroup
	work   func() // what a worker does; made once, so that starting one allocates nothing

	mu     sync.Mutex
	failed *StagePanic
	delay  func(chunk int32) // in tests: called before each chunk
}

// runner is the work of a stage, for any type of context.
type runner interface{ run(c Chunk) }

type job[C any] struct {
	context *C
	do      func(context *C, c Chunk)
}

func (j *job[C]) run(c Chunk) { j.do(j.context, c) }

// jobOf returns a job to be used again.
func jobOf[C any](s *store) *job[C] {
	for _, j := range s.jobs {
		if j, ok := j.(*job[C]); ok {
			return j
		}
	}
	j := new(job[C])
	s.jobs = append(s.jobs, j)
	return j
}

// StagePanic is what a stage panics with if its work panics for a chunk: that of the lowest one, if
// it does for several.
type StagePanic struct {
	Table string
	Chunk int // its rows are Chunk*Rows to Chunk*Rows + Rows - 1
	Value any // what the work panicked with
	Stack []byte
}

// Error names the table, the chunk and the value, and shows the stack of the work.
func (p *StagePanic) Error() string {
	return fmt.Sprintf("world: the stage over chunk %d of %s (rows %d to %d): %v\n%s", p.Chunk, p.Table, p.Chunk*Rows, p.Chunk*Rows+Rows-1, p.Value, p.Stack)
}

// Unwrap returns the value, if it is an error.
func (p *StagePanic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Stage runs work for each chunk of a table in which something lives, on several goroutines at a
// time: the one way to be parallel in a step. What comes out does not depend on how many there are,
// or on which is first, since the work of a chunk
//
//   - writes the rows of that chunk only: [Column.Write], [Optional.Write], [Optional.PutRow],
//     [Optional.DropRow];
//   - sees these as it writes them, and everything else as the stage has found it;
//   - leaves to the time after the stage what concerns others: [Later], [Sum];
//   - works in memory that belongs to the chunk: [Scratch].
//
// Anything else in the world panics with a [*UseError], which Stage passes on in a [*StagePanic].
// What is not in the world is up to the work: it must not write anything that another chunk's may
// read. The context is any value that the work needs, the world itself, say; a work that captures no
// variables costs no memory.
//
// A stage is a part of a step (else it panics with a [*UseError]). It returns when all chunks are
// done, and no goroutine is left. Without threads, as in a browser, it works alone.
func Stage[C any](context *C, t *Table, work func(context *C, c Chunk)) {
	s := t.store
	if s.phase != inStep {
		e := s.refusal("Stage", t.path, -1)
		if s.phase != inStage {
			e.Err = ErrNotInStep
		}
		panic(e)
	}
	j := jobOf[C](s)
	j.context, j.do = context, work
	s.enter(t, j)
	s.runChunks()
	s.exit()
	j.context, j.do = nil, nil
	if failed := s.failed; failed != nil {
		s.failed = nil
		panic(failed)
	}
}

func (s *store) enter(t *Table, j runner) {
	s.chunks = s.chunks[:0]
	for i, p := range t.list {
		if !p.content.Live.empty() {
			s.chunks = append(s.chunks, int32(i))
		}
	}
	for _, d := range s.passed {
		d.room(t.number, len(t.list))
	}
	for _, c := range t.columns {
		c.enter()
	}
	s.epoch++
	if s.stages++; s.stages == 0 {
		s.stages++
	}
	s.phase, s.stage, s.table, s.job = inStage, s.stages, t, j
}

func (s *store) exit() {
	for _, c := range s.table.columns {
		c.exit()
	}
	s.epoch++
	s.phase, s.stage, s.table, s.job = inStep, 0, nil, nil
}

// runChunks runs the work for all chunks.
func (s *store) runChunks() {
	workers := s.workers
	if workers == 0 {
		//detlint:ignore machine what a stage computes does not depend on how many workers it has
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, len(s.chunks))
	//detlint:ignore concurrency the one place in a step that is parallel: each chunk is run once, and sees nothing of the others
	s.next.Store(0)
	if !threads || workers <= 1 {
		s.runAll()
		return
	}
	if s.work == nil {
		s.work = func() {
			//detlint:ignore concurrency the one place in a step that is parallel: each chunk is run once, and sees nothing of the others
			defer s.wait.Done()
			s.runAll()
		}
	}
	s.parallel = true
	//detlint:ignore concurrency the one place in a step that is parallel: each chunk is run once, and sees nothing of the others
	s.wait.Add(workers - 1)
	for range workers - 1 {
		//detlint:ignore concurrency the one place in a step that is parallel: each chunk is run once, and sees nothing of the others
		go s.work()
	}
	s.runAll()
	//detlint:ignore concurrency the one place in a step that is parallel: each chunk is run once, and sees nothing of the others
	s.wait.Wait()
	s.parallel = false
}

// runAll runs chunks until none is left.
func (s *store) runAll() {
	//detlint:ignore concurrency the one place in a step that is parallel: each chunk is run once, and sees nothing of the others
	for i := int(s.next.Add(1)); i <= len(s.chunks); i = int(s.next.Add(1)) {
		s.runChunk(s.chunks[i-1])
	}
}

func (s *store) runChunk(i int32) {
	defer s.note(i)
	if s.delay != nil {
		s.delay(i)
	}
	c := s.table.chunk(int(i))
	c.stage, c.owner = s.stage, newOwner()
	s.job.run(c)
}

// note keeps the panic of the lowest chunk.
func (s *store) note(i int32) {
	p := recover()
	if p == nil {
		return
	}
	//detlint:ignore concurrency of several panics the one of the lowest chunk is kept, whichever comes first
	s.stager.mu.Lock()
	defer s.stager.mu.Unlock()
	if s.failed == nil || int(i) < s.failed.Chunk {
		//detlint:ignore machine the stack is for people, and is not part of the state
		s.failed = &StagePanic{Table: s.table.path, Chunk: int(i), Value: p, Stack: debug.Stack()}
	}
}
