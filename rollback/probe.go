package rollback

// Probe is called when parts of an engine's work begin and end, so that it can measure them with its own clock. It does
// not influence the engine, and must not call it.
//
// In a tick, TickBegin and TickEnd surround everything, and RollbackBegin and RollbackEnd
// surround the frames that are simulated again before the new one. In [Engine.Settle] there
// is only a rollback. Frames that cannot run ([Stall]) and repetitions of a sync test are
// not reported.
type Probe interface {
	// TickBegin and TickEnd surround the first run of frame f, with known or predicted inputs.
	TickBegin(f Frame)
	TickEnd(f Frame)
	// RollbackBegin goes back from state to, the newest, to state from; RollbackEnd is at state to again. simulated is how
	// many of these frames ran again; the others did not have to, because the state had become the same as before.
	RollbackBegin(from, to Frame)
	RollbackEnd(simulated Frame)
}
