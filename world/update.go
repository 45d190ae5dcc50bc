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
	s.changeable("Clear", s.name, -1)
	for _, p := range s.parts {
		p.reset()
	}
}

// SetWorkers says how many goroutines run a stage of this world, at most: 0 means one for each
// processor, which is the default, and 1 none but the caller's.
func SetWorkers[W any](w *W, n int) { storeOf(w).workers = n }
