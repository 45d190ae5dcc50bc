package world

// Update changes a world as a step does, outside of any match: for tests and tools, and to set up
// a world that no engine runs. Only the goroutine that runs the world may call it.
func Update[W any](w *W, change func(w *W)) {
	s := storeOf(w)
	s.begin()
	defer s.leave()
	change(w)
	s.end()
}

// Clear makes the world empty again. It is for the beginning of a step that sets up a match.
func Clear[W any](w *W) {
	s := storeOf(w)
	s.changeable("Clear", s.name, noRow)
	for _, p := range s.parts {
		p.reset()
	}
}

// Pause says that a step has done some work since it has begun, or since the last call, and could stop here for a
// while: see [rollback.OwnMemory.Pause]. A row of a stage counts as 1; stages pause by themselves, after each
// chunk, and [Load] after each page, so this is for long work between stages. A [Game.Check] calls it, too. Where nobody wants it to
// pause, it costs some nanoseconds and does nothing.
func Pause[W any](w *W, work int) {
	if s := storeOf(w); s.pause != nil && (s.phase == inStep || s.phase == frozen) {
		s.pause(work)
	}
}

// SetWorkers says how many goroutines run a stage of this world, at most: 0 means one for each
// processor, which is the default, and 1 none but the caller's.
func SetWorkers[W any](w *W, n int) { storeOf(w).workers = n }
