package world

// Update changes a world as a step does, outside of any match: for tests and tools, and to set up a world that no
// engine runs. Only the goroutine that runs the world may call it.
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

// Pause says how much work a step has done since it began or since the last call, and that it could stop here for a
// while: see [rollback.OwnMemory.Pause]. A row of a stage counts as 1. Stages pause by themselves after each chunk, and
// [Load] after each page, so this is for long work between stages. A [Game.Check] calls it, too. If pausing is not in
// use, it takes some nanoseconds and does nothing.
func Pause[W any](w *W, work int) {
	if s := storeOf(w); s.pause != nil && (s.phase == inStep || s.phase == frozen) {
		s.pause(work)
	}
}

// SetWorkers sets the maximum number of goroutines that run a stage of this world: 0 means one for each processor,
// which is the default, and 1 only the caller's.
func SetWorkers[W any](w *W, n int) { storeOf(w).workers = n }
