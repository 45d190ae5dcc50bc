package rollback

import "fmt"

// lastFrame bounds the length of a match, so that adding to a frame number does not overflow. At 60 ticks/s, a match
// takes two years to reach it.
const lastFrame = NoFrame - 1<<16

// Tick runs one frame. If inputs have arrived that differ from their predictions, it
// first goes back to the earliest of them and simulates all frames since then again: once,
// however many inputs there are.
//
// If the frame cannot run yet, the error is a [*Stall]: the match does not change, and the error belongs to the engine
// and is valid until the next call. A missing sample of a local player is [ErrNotSampled]. A sync test fails with a
// [*SyncTestError] if a frame came out differently the second time; after that the match cannot go on.
func (e *core[I]) Tick() error {
	f := e.inputs.frame
	c := e.inputs.known
	if f >= c && f-c >= e.window || f >= e.agreement.limit || e.sampling.owed != 0 {
		return e.refuse()
	}
	// The oldest state may have a hash that the owner has yet to read.
	if e.watched || e.states.every != 0 && f-e.agreement.read >= e.states.count {
		if err := e.beforeRun(); err != nil {
			return err
		}
		if e.states.probe != nil {
			e.states.probe.TickBegin(f)
		}
	}
	from := f
	if e.inputs.outdated.first != NoFrame {
		from = e.goBack()
	}
	if f >= c {
		e.inputs.predictFrame(f)
	}
	e.states.mem.run(&e.steps, from, f+1)
	if e.inputs.advance() && e.steps.ending.open {
		e.steps.ending.judge(min(e.Agreed(), e.inputs.right())) // before the frames that ended the match are forgotten
	}
	e.sampling.next(e.inputs.ring.row(f + 1).gone())
	if e.watched || e.steps.err != nil {
		if e.states.probe != nil {
			e.states.probe.TickEnd(f)
		}
		return e.examine()
	}
	return nil
}

// beforeRun does what frames need beyond inputs and states: hashes, effects, measurements.
func (e *core[I]) beforeRun() error {
	f := e.inputs.frame
	if oldest := e.states.oldest(f); oldest > e.agreement.read {
		if err := e.states.keepSum(oldest, f, e.steps.tick.meter); err != nil {
			e.agreement.fail(err)
		}
	}
	if e.steps.effects.unread(f, e.inputs.history) {
		e.flush()
	}
	e.steps.measure(f)
	return e.agreement.failure
}

// examine returns the error that a tick has caused, if any.
func (e *core[I]) examine() error {
	end := e.inputs.frame
	if e.depth > 0 && e.steps.err == nil {
		if err := e.states.verify(&e.steps, end-min(e.depth, end-e.inputs.given), end); err != nil {
			e.agreement.fail(err)
		}
	}
	return e.agreement.judge(e.steps.error(e.inputs.frame - 1))
}

// Settle simulates wrong frames again, as [Engine.Tick] does, without running a new one:
// for the end of a match, or to read a final state while the match stalls.
func (e *core[I]) Settle() error {
	if e.agreement.failure != nil || e.inputs.outdated.first == NoFrame {
		return e.agreement.failure
	}
	if err := e.beforeRun(); err != nil {
		return err
	}
	e.states.mem.run(&e.steps, e.goBack(), e.inputs.frame)
	return e.examine()
}

// refuse returns the reason why a frame cannot run.
func (e *core[I]) refuse() error {
	n, f := &e.inputs, e.inputs.frame
	switch {
	case e.agreement.failure != nil:
		return e.agreement.failure
	case f >= lastFrame:
		return ErrFrames
	case e.sampling.owed != 0:
		return fmt.Errorf("frame %d, %v: %w; call AddLocal before Tick", f, e.sampling.owed, ErrNotSampled)
	}
	e.stalls++
	e.stall = Stall{Frame: f, Have: e.agreement.limit - n.history}
	if f < e.agreement.limit {
		e.stall.Have, e.stall.Waiting = e.Confirmed(), n.waiting(e.window)
	}
	return &e.stall
}

// goBack goes back to the earliest outdated frame, and returns the first frame that is left to run.
func (e *core[I]) goBack() Frame {
	// All inputs are predicted first: once the state is unchanged after the last frame whose inputs change, the work is
	// done.
	first, last := e.inputs.predictAgain()
	return e.states.goBack(&e.steps, first, last, e.inputs.frame)
}
