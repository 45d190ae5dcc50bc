package rollback

import (
	"fmt"

	"github.com/tickback/tickback/rollback/effects"
)

// Correct says that state f in truth is *s, as a server that owns the match has computed it. It is for a machine that
// does not get all inputs, so that it cannot compute the true state, or whose simulation came out differently. *s still
// belongs to the caller.
//
// If the engine's state f already equals *s, changed is false. Otherwise it is replaced, and the next tick simulates
// the frames from f on again, until a state comes out as it was before. Frames before f whose inputs have been
// corrected are simulated again at once: for their effects, and so that the right states are compared.
//
// From then on the frames before f are known, agreed and final: [Engine.Next] of every player, [Engine.Confirmed] and
// [Engine.Agreed] are at least f. The inputs with which these frames were last simulated remain, and predictions go on
// from them; true inputs for them that come later are ignored. Their effects are confirmed as they were last simulated.
// If one of their inputs was missing, the agreed stream skips those of these frames that it has not yielded yet, and
// goes on with frame f.
//
// If f is beyond [Engine.Frame], this machine has fallen behind, and goes on from there: a match begins in the middle,
// as with [Engine.Load]. No player is disconnected, nothing is supposed, and statistics are reset. But effects are not
// forgotten: [Engine.Effects] reports that they end, or are confirmed. changed is true.
//
// Errors: [ErrNotHeld] if state f is older than those held; [ErrSettled] if more than f frames are agreed; [ErrFrames];
// and [*CapabilityError] if the game has its own memory and lacks Save or Equal. After an error the match is as it was.
func (e *Engine[S, I]) Correct(f Frame, s *S) (changed bool, err error) {
	if err := e.refuseState(f); err != nil {
		return false, err
	}
	if f > e.frame {
		e.jump(f, s)
		return true, nil
	}
	if e.wrong < f {
		if e.redo(f); e.failure != nil {
			return false, e.failure
		}
	}
	if changed = !e.mem.is(f, s); changed {
		e.mem.correct(f, s)
		if e.rows[(f-1)&e.mask] &^= rowHashed; f < e.frame {
			e.invalidate(f)
		}
	}
	e.settleBelow(f)
	return changed, nil
}

// refuseState says why a state cannot be corrected.
func (e *Engine[S, I]) refuseState(f Frame) error {
	switch {
	case e.failure != nil:
		return e.failure
	case f >= lastFrame:
		return fmt.Errorf("rollback: state %d: %w", f, ErrFrames)
	case f < e.oldest():
		return fmt.Errorf("rollback: state %d: %w: the states held are %d to %d", f, ErrNotHeld, e.oldest(), e.frame)
	case f < e.Agreed():
		return fmt.Errorf("rollback: state %d: %w: %d frames are agreed", f, ErrSettled, e.Agreed())
	}
	return e.mem.correctable()
}

// redo simulates the wrong frames below end again. Those from end on are left to the next tick, unless they would come
// out unchanged.
func (e *Engine[S, I]) redo(end Frame) {
	if e.beginExtras(); e.failure != nil {
		return
	}
	from, frame := e.wrong, e.frame
	last := e.predictAgain(from, frame)
	if e.probe != nil {
		e.probe.RollbackBegin(from, end)
	}
	e.wrong = NoFrame
	e.rewind(from, true)
	f, same := min(last, end-1), false // from there on a state may be what it was
	for e.mem.run(e, from, f); f != end && !same; f++ {
		e.prepare(f)
		same = e.mem.recheck(&e.tick) && f >= last
		if e.noteFinish(f); !same {
			e.mem.keep(f + 1)
		}
	}
	if !same && end != frame {
		e.wrong, e.latest = end, max(end, last)
	}
	e.mem.forward(frame)
	if f != end {
		e.stats.EarlyStops++
	}
	if e.stats.rolledBack(end-from, f-from); e.probe != nil {
		e.probe.RollbackEnd(f - from)
	}
	e.checkJournal()
}

// settleBelow makes everything before state f known and agreed.
func (e *Engine[S, I]) settleBelow(f Frame) {
	if e.known() < f {
		e.read = max(e.read, f)
	}
	for p := range Player(e.players) {
		if e.next[p.index()] < f {
			e.pass(p, f)
		}
	}
	e.given, e.agreed = max(e.given, f), max(e.agreed, f)
	e.fresh = e.journal != nil
	e.release()
}

// pass makes all inputs of player p before frame f known.
func (e *Engine[S, I]) pass(p Player, f Frame) {
	for n := e.next[p]; n != f; n++ {
		if r := e.rows[n&e.mask]; r.early().Has(p) && !r.gone().Has(p) {
			e.early[p]--
		}
	}
	e.next[p] = f
	if e.away[p].covers(f) {
		e.next[p] = e.away[p].back
	}
	if e.next[p] != NoFrame {
		e.skip(p)
	}
}

// jump goes on from a state that is beyond the newest.
func (e *Engine[S, I]) jump(f Frame, s *S) {
	e.mem.adopt(f, s)
	ended := e.endEffects()
	e.begin(f)
	e.missed, e.fresh = ended, len(ended) > 0
}

// endEffects ends or confirms all effects that are shown, and returns what the owner must be told, including events
// that it has not read yet. The journal has to be reset afterwards.
func (e *Engine[S, I]) endEffects() []effects.Event {
	if e.journal == nil {
		return nil
	}
	return e.journal.Finish(e.missed)
}
