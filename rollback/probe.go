package rollback

// Probe is called while parts of an engine's work run, to measure them with a clock of its
// own. It has no influence, and must not call the engine.
//
// In a tick, TickBegin and TickEnd surround everything, and RollbackBegin and RollbackEnd
// surround the frames that are simulated again before the new one. In [Engine.Settle] there
// is only a rollback. Frames that cannot run ([Stall]) and repetitions of a sync test are
// not reported.
type Probe interface {
	// TickBegin and TickEnd surround the first run of frame f, on inputs that are known
	// or predicted.
	TickBegin(f Frame)
	TickEnd(f Frame)
	// RollbackBegin goes back from state to, the newest, to state from; RollbackEnd is at
	// state to again. simulated is how many of these frames ran again; the others did not
	// have to, since the state was what it had been.
	RollbackBegin(from, to Frame)
	RollbackEnd(simulated Frame)
}

// back is goBack, but with a probe it also runs the rest of the rollback, apart from the
// new frame, so that the probe sees where the rollback ends.
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
