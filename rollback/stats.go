package rollback

// Stats has the statistics of an engine since the match began.
type Stats struct {
	Ticks       uint64 // frames run for the first time
	Stalls      uint64 // calls of Tick that could not run
	Rollbacks   uint64 // how often the engine went back
	Resimulated uint64 // frames simulated again
	Deepest     int    // frames of the deepest rollback
	// Histogram counts rollbacks by depth: Histogram[d] counts those of d frames. No
	// rollback has depth 0.
	Histogram  []uint64
	EarlyStops uint64 // rollbacks that reached a known state early
	Skipped    uint64 // frames that did not have to be simulated because of early stops
	Compared   uint64 // frames that a sync test has simulated twice and found the same
	// Mispredicted counts, for each player, inputs that differed from the prediction
	// their frame had been simulated with.
	Mispredicted [MaxPlayers]uint64
	Duplicates   uint64 // inputs that were known already
	// DroppedEffects counts effects beyond Config.MaxEffects in one frame.
	DroppedEffects uint64
}

func (s *Stats) reset() {
	clear(s.Histogram)
	*s = Stats{Histogram: s.Histogram}
}

// rolledBack counts a rollback of depth frames; simulated of them ran again.
func (s *Stats) rolledBack(depth, simulated Frame) {
	s.Rollbacks++
	s.Resimulated += uint64(simulated)
	s.Skipped += uint64(depth - simulated)
	s.Deepest = max(s.Deepest, int(depth))
	s.Histogram[min(int(depth), len(s.Histogram)-1)]++
}

// Stats returns the statistics of the match. The histogram belongs to the engine, and changes with the next tick.
func (e *core[I]) Stats() Stats {
	s := e.states.stats
	s.Ticks, s.Stalls = uint64(e.inputs.frame-e.inputs.start), e.stalls
	s.Mispredicted, s.Duplicates = e.inputs.mispredicted, e.inputs.duplicates
	s.DroppedEffects = e.steps.effects.dropped()
	return s
}
