package rollback

import "fmt"

// lastFrame bounds a match, so that frame numbers can be added to without
// overflow. At 60 ticks/s it is two years away.
const lastFrame = NoFrame - 1<<16

// Tick runs one frame. If inputs have arrived that differ from their predictions, it
// first goes back to the earliest of them and simulates all frames since then again: once,
// however many inputs there are.
//
// If the frame cannot run yet, the error is a [*Stall]: the match does not change, and the error belongs to the engine
// and is valid until the next call. A missing sample of a local player is [ErrNotSampled]. A sync test fails with a
// [*SyncTestError] if a frame came out differently the second time; after that the match cannot go on.
func (e *Engine[S, I]) Tick() error {
	f := e.frame
	c := e.known()
	if f >= c && f-c >= e.window || f >= e.tail || e.owed != 0 {
		return e.refuse()
	}
	if e.extras {
		if e.beginExtras(); e.failure != nil {
			return e.failure
		}
		if e.probe != nil {
			e.probe.TickBegin(f)
		}
	}
	from := f
	if e.wrong != NoFrame {
		from = e.back()
	}
	if f >= c {
		e.predictFrame(f)
	}
	e.mem.run(e, from, f+1)
	e.frame, e.owed = f+1, e.local
	if e.sparse {
		e.owed &^= e.rows[(f+1)&e.mask].gone()
	}
	if f >= e.reserve {
		e.retire()
	}
	if e.extras {
		if e.probe != nil {
			e.probe.TickEnd(f)
		}
		return e.examine()
	}
	if e.remote != 0 {
		e.sure = c + 1 // which is 0 if no player is left
	}
	return nil
}

// beginExtras prepares a tick that has extras: effects, hashes, measurements.
func (e *Engine[S, I]) beginExtras() {
	if e.journal != nil && e.frame-e.flushed >= e.history {
		e.flush() // the owner does not read effects
	}
	if e.stream {
		e.keepHash()
	}
	e.tick.meter = nil
	if e.meter.clock != nil && e.frame%meterEvery == 0 {
		e.tick.meter = &e.meter
	}
	e.updateFast()
}

// examine returns the error that a tick has caused, if any.
func (e *Engine[S, I]) examine() error {
	if e.depth > 0 {
		e.verify()
	}
	e.checkJournal()
	return e.failure
}

// checkJournal ends the match if a step has emitted something that is not allowed.
func (e *Engine[S, I]) checkJournal() {
	if e.journal == nil {
		return
	}
	if err := e.journal.Err(); err != nil {
		e.fail(fmt.Errorf("rollback: frame %d: %w", e.frame-1, err))
	}
}

// Settle simulates wrong frames again, as [Engine.Tick] does, without running a new one:
// for the end of a match, or to read a final state while the match stalls.
func (e *Engine[S, I]) Settle() error {
	if e.failure != nil || e.wrong == NoFrame {
		return e.failure
	}
	if e.beginExtras(); e.failure != nil {
		return e.failure
	}
	e.mem.run(e, e.back(), e.frame)
	return e.examine()
}

// refuse returns the reason why a frame cannot run.
func (e *Engine[S, I]) refuse() error {
	switch {
	case e.failure != nil:
		return e.failure
	case e.frame >= lastFrame:
		return ErrFrames
	case e.owed != 0:
		return fmt.Errorf("frame %d, %v: %w; call AddLocal before Tick", e.frame, e.owed, ErrNotSampled)
	}
	e.stats.Stalls++
	e.stall = Stall{Frame: e.frame, Have: e.tail - e.history}
	if e.frame < e.tail {
		e.stall.Have = e.Confirmed()
		for p := range Player(e.players) {
			if n := e.next[p]; e.frame >= n && e.frame-n >= e.window {
				e.stall.Waiting |= 1 << p
			}
		}
	}
	return &e.stall
}

// goBack rewinds to the earliest wrong frame and returns the first frame that is left to run. That is the wrong frame,
// unless goBack itself has run some frames to see whether the state becomes what it was before.
func (e *Engine[S, I]) goBack() Frame {
	// All inputs are predicted first: once the state is unchanged after the last frame whose inputs change, the work is
	// done.
	from, end := e.wrong, e.frame
	last := e.predictAgain(from, end)
	e.wrong = NoFrame
	if e.canStop && last+1 < end {
		return e.rejoin(from, last, end)
	}
	e.rewind(from, false)
	e.stats.rolledBack(end-from, end-from)
	return from
}

// rejoin runs the frames from the first to the last whose input has changed, and further until the state is what it was
// before. It returns end if that happens, and otherwise the last frame, which is left to run.
func (e *Engine[S, I]) rejoin(from, last, end Frame) Frame {
	e.rewind(from, true)
	e.mem.run(e, from, last)
	for f := last; f+1 != end; f++ {
		e.prepare(f)
		same := e.mem.recheck(&e.tick)
		e.noteFinish(f)
		if same {
			e.mem.forward(end)
			e.stats.EarlyStops++
			e.stats.rolledBack(end-from, f+1-from)
			return end
		}
	}
	e.stats.rolledBack(end-from, end-from)
	return end - 1
}

// rewind makes state f the current one.
func (e *Engine[S, I]) rewind(f Frame, hold bool) {
	if e.tick.meter == nil {
		e.mem.rewind(f, hold)
		return
	}
	begin := e.meter.clock()
	e.mem.rewind(f, hold)
	e.meter.restore.add(e.meter.clock() - begin)
}

// prepare sets up the tick for frame f.
func (e *Engine[S, I]) prepare(f Frame) {
	t := &e.tick
	t.frame, t.at, t.finished = f, int(f&e.mask)*e.players, false
	if e.journal != nil {
		e.journal.Begin(f)
		e.fresh = true
	}
}

// noteFinish records whether the step of frame f finished the match.
func (e *Engine[S, I]) noteFinish(f Frame) {
	r := f & e.mask
	e.rows[r] &^= rowFinished
	if e.tick.finished {
		e.tick.finished = false
		e.rows[r] |= rowFinished
		e.results[r], e.ended, e.careful = e.tick.result, true, true
	}
}

// retire reuses the rows of the oldest frames for frames ahead. It does many at a time, to keep ticks cheap.
func (e *Engine[S, I]) retire() {
	if e.ended {
		e.findEnd()
	}
	for base := e.frame - e.history; e.base < base; {
		e.base++
		f := e.base + e.mask - 1
		e.rows[f&e.mask] = 0
		if e.sparse {
			e.clear(f)
		}
	}
	if e.irregular != 0 {
		e.forgetAbsences()
	}
	e.reserve = e.frame + e.history/reserveShare
}

// reserveShare sets how often retire runs: once every history/reserveShare frames.
const reserveShare = 8

// keptOrders is the memory in bytes that an entry of the ring keeps for orders: enough for
// most orders, and small enough to keep in every entry.
const keptOrders = 256

// emptied returns a buffer for orders, with its content removed.
func emptied(b []byte) []byte {
	if cap(b) > keptOrders {
		return nil
	}
	return b[:0]
}

// clear prepares the row of the new frame f: it has no orders, and absent players are marked.
func (e *Engine[S, I]) clear(f Frame) {
	i := int(f&e.mask) * e.players
	for p := range Player(e.players) {
		if e.orders != nil {
			e.orders[i+int(p)] = emptied(e.orders[i+int(p)])
		}
		if e.away[p].covers(f) {
			e.inputs[i+int(p)] = *new(I)
			e.rows[f&e.mask] = e.rows[f&e.mask].without(p)
		}
	}
}
