package world

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// threads reports whether goroutines can run in parallel.
const threads = runtime.GOARCH != "wasm"

// stager runs stages.
type stager struct {
	stage    uint32 // the number of the running stage; 0: none
	stages   uint32
	workers  int         // the maximum number of goroutines; 0: one for each processor
	parallel bool        // several goroutines are running
	helped   bool        // several goroutines had work in the last step
	pool     *workerPool `canon:"-"` // nil until it is needed

	chunks []int32 // the occupied chunks of the stage, or the numbers of tasks
	jobs   []runner
	job    runner
	table  *Table // nil for a run of tasks

	mu     sync.Mutex
	failed *StagePanic
	delay  func(chunk int32) // in tests: called before each chunk
	pause  func(work int)    // called after each chunk, if the step may be interrupted
}

// runner is the work of a stage, for any type of context.
type runner interface{ run(c Chunk) }

type job[C any] struct {
	context *C
	do      func(context *C, c Chunk)
}

func (j *job[C]) run(c Chunk) { j.do(j.context, c) }

// jobOf returns a job of type J for reuse.
func jobOf[J any, P interface {
	*J
	runner
}](s *store) P {
	for _, j := range s.jobs {
		if j, ok := j.(P); ok {
			return j
		}
	}
	j := P(new(J))
	s.jobs = append(s.jobs, j)
	return j
}

// StagePanic is the value with which a stage panics if its work panics. If the work panics for several chunks, it is
// about the lowest one.
type StagePanic struct {
	Table string // empty for a task of [Tasks]
	Chunk int    // the chunk, with rows Chunk*Rows to Chunk*Rows + Rows - 1, or the number of the task
	Value any    // the value of the work's panic
	Stack []byte
}

// Error names the table and the chunk, or the task, and the value, and shows the stack of the work.
func (p *StagePanic) Error() string {
	if p.Table == "" {
		return fmt.Sprintf("world: task %d: %v\n%s", p.Chunk, p.Value, p.Stack)
	}
	return fmt.Sprintf("world: the stage over chunk %d of %s (rows %d to %d): %v\n%s", p.Chunk, p.Table, p.Chunk*Rows, p.Chunk*Rows+Rows-1, p.Value, p.Stack)
}

// Unwrap returns the value, if it is an error.
func (p *StagePanic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Stage runs work for each chunk of a table in which something lives, on several goroutines at the same time. It is the
// only way to run in parallel in a step. The result does not depend on the number of goroutines or on their order,
// since the work of a chunk
//
//   - writes the rows of that chunk only: [Column.Write], [Optional.Write], [Optional.PutRow],
//     [Optional.DropRow];
//   - sees its own writes to these rows, and everything else as it was before the stage;
//   - defers changes that concern other chunks until after the stage: [Later], [Sum];
//   - uses working memory that belongs to the chunk: [Scratch].
//
// Anything else in the world panics with a [*UseError], which Stage passes on in a [*StagePanic]. Data outside of the
// world is the responsibility of the work function: it must not write anything that the work of another chunk may read.
// The context is any value that the work needs, for example the world itself; a work function that captures no
// variables costs no memory.
//
// A stage is a part of a step (else it panics with a [*UseError]). It returns when all chunks are done. Its goroutines
// wait some microseconds for the next stage, and then end; none touches the world in between. Without threads, as in a
// browser, only the calling goroutine works.
func Stage[C any](context *C, t *Table, work func(context *C, c Chunk)) {
	s := t.store
	s.stageable("Stage", t.path)
	j := jobOf[job[C]](s)
	j.context, j.do = context, work
	s.chunks = s.chunks[:0]
	for i, p := range t.list {
		if !p.content.Live.empty() {
			s.chunks = append(s.chunks, int32(i))
		}
	}
	for _, d := range s.passed {
		d.room(t.number, len(t.list))
	}
	s.enter(t.columns, t, j)
	s.runChunks()
	s.exit(t.columns)
	j.context, j.do = nil, nil
	s.pass()
}

// stageable panics if a stage is run outside of a step, or in another stage.
func (s *store) stageable(call, path string) {
	if s.phase == inStep {
		return
	}
	e := s.refusal(call, path, noRow)
	if s.phase != inStage {
		e.Err = ErrNotInStep
	}
	panic(e)
}

// enter begins a stage: over a table, with these columns, or of tasks.
func (s *store) enter(columns []staged, t *Table, j runner) {
	for _, c := range columns {
		c.enter()
	}
	s.epoch++
	if s.stages++; s.stages == 0 {
		s.stages++
	}
	s.phase, s.stage, s.table, s.job = inStage, s.stages, t, j
}

func (s *store) exit(columns []staged) {
	for _, c := range columns {
		c.exit()
	}
	s.epoch++
	s.phase, s.stage, s.table, s.job = inStep, 0, nil, nil
}

// pass rethrows a panic of the work.
func (s *store) pass() {
	if failed := s.failed; failed != nil {
		s.failed = nil
		panic(failed)
	}
}

// runChunks runs the work for all chunks.
func (s *store) runChunks() {
	if s.pause != nil {
		s.runInSlices()
		return
	}
	others := s.others(len(s.chunks))
	if others == 0 {
		for i := range s.chunks {
			s.item(i)
		}
		return
	}
	if s.pool == nil {
		s.pool = newCrew()
	}
	s.parallel, s.helped = true, true
	s.pool.run(s, len(s.chunks), others)
	s.parallel = false
}

// startWorkers starts goroutines before the first stage of a step, if the last step had work for them.
func (s *store) startWorkers() {
	if s.helped && s.pause == nil {
		s.pool.call(s.others(MaxRows / Rows))
	}
	s.helped = false
}

// others returns how many goroutines, besides the one that runs the world, to use for that many items. It is less than
// the number of processors, because more goroutines would only wait for each other.
func (s *store) others(items int) int {
	//detlint:ignore machine what a stage computes does not depend on how many workers it has
	if !threads {
		return 0
	}
	//detlint:ignore machine what a stage computes does not depend on how many workers it has
	n := runtime.GOMAXPROCS(0)
	if s.workers > 0 {
		n = min(n, s.workers)
	}
	return max(min(n, items), 1) - 1
}

// runInSlices runs the chunks one after the other, and pauses after each of them.
func (s *store) runInSlices() {
	for _, i := range s.chunks {
		s.runChunk(i)
		if s.table == nil {
			s.pause(Rows)
		} else {
			s.pause(s.table.list[i].content.Live.len())
		}
	}
}

// item runs the work for one of the chunks of the stage.
func (s *store) item(i int) { s.runChunk(s.chunks[i]) }

func (s *store) runChunk(i int32) {
	defer s.note(i)
	if s.delay != nil {
		s.delay(i) //detlint:ignore unproved only tests have one, which changes the order of workers
	}
	c := Chunk{number: i}
	if s.table != nil {
		c = s.table.chunk(int(i))
	}
	c.stage, c.owner = s.stage, newOwner()
	s.job.run(c)
}

// note records the panic of the lowest chunk.
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
		s.failed = &StagePanic{Chunk: int(i), Value: p, Stack: debug.Stack()}
		if s.table != nil {
			s.failed.Table = s.table.path
		}
	}
}
