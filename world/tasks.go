package world

// Tasks runs the tasks 0 to n - 1 of a step on several goroutines at a time, as [Stage] does with chunks: for work that
// is not divided by chunks of a table, such as the bands of a sort. The result must not depend on the order of the
// tasks, so a task
//
//   - reads the world as it was before the tasks, and does not write to it (which panics as in Stage);
//   - writes only to memory of its own, and does not read memory that another task writes.
//
// It returns when all tasks are done. If tasks panic, Tasks panics with a [*StagePanic] of the lowest one. A step that
// can be interrupted can be interrupted after each task, which counts as a full chunk.
func Tasks[W, C any](w *W, context *C, n int, work func(context *C, task int)) {
	s := storeOf(w)
	s.stageable("Tasks", s.name)
	j := jobOf[taskJob[C]](s)
	j.context, j.do = context, work
	s.chunks = s.chunks[:0]
	for i := range n {
		s.chunks = append(s.chunks, int32(i))
	}
	s.enter(nil, nil, j)
	s.runChunks()
	s.exit(nil)
	j.context, j.do = nil, nil
	s.pass()
}

// taskJob is a job with tasks instead of chunks.
type taskJob[C any] struct {
	context *C
	do      func(context *C, task int)
}

func (j *taskJob[C]) run(c Chunk) { j.do(j.context, int(c.number)) }
