package rollback

// Probe hears of the parts of an engine's work while they are done: to measure them,
// with a clock of its own. It decides nothing, and must not call the engine.
//
// In a tick, TickBegin and TickEnd surround everything, and RollbackBegin and
// RollbackEnd the frames that are simulated again before the new one. A rollback
// stands alone in [Engine.Settle]. A frame that cannot run ([Stall]) is not heard of,
// nor is what a sync test repeats.
type Probe interface {
	// TickBegin and TickEnd are frame f: its inputs are known or predicted, and it
	// runs now.
	TickBegin(f Frame)
	TickEnd(f Frame)
	// RollbackBegin goes back from state to, the newest, to state from; RollbackEnd is
	// at state to again. Of these frames, so many were simulated; the others did not
	// have to be, since the state was what it had been.
	RollbackBegin(from, to Frame)
	RollbackEnd(simulated Frame)
}

// back is goBack. If somebody listens, it runs what is left of the rollback apart from
// the new frame, so that its end can be told.
func (e *Engine[S, I]) back() Frame {
	if e.probe == nil {
		return e.goBack()
	}
	before := e.stats.Resimulated
	e.probe.RollbackBegin(e.wrong, e.frame)
	e.mem.run(e, e.goBack(), e.frame)
	e.probe.RollbackEnd(Frame(e.stats.Resimulated - before))
	return e.frame
}
