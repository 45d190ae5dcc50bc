package rollback

import "fmt"

// Correct replaces state f by the true one, *s, which a server that owns the match has computed. It is for a machine
// that does not get all inputs, so that it cannot compute the true state, or whose simulation has diverged. *s still
// belongs to the caller.
//
// If the engine's state f already equals *s, changed is false. Otherwise it is replaced, and the next tick simulates
// the frames from f on again, until it arrives at a state that has not changed. Frames before f whose inputs have been
// corrected are simulated again at once: for their effects, and so that the right states are compared.
//
// From then on all frames before f are known, agreed and final: [Engine.Next] of every player, [Engine.Confirmed] and
// [Engine.Agreed] are at least f. The inputs with which these frames were last simulated remain, and predictions go on
// from them; true inputs for them that come later are ignored. Their effects are confirmed as they were last
// simulated. If one of their inputs was missing, the agreed stream skips those of these frames that it has not yielded
// yet, and goes on with frame f.
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
	if f > e.inputs.frame {
		e.mem.adopt(f, s)
		e.begin(f, e.steps.effects.finish())
		return true, nil
	}
	if e.inputs.outdated.first < f {
		if err := e.redo(f); err != nil {
			return false, err
		}
	}
	if changed = !e.mem.is(f, s); changed {
		e.mem.correct(f, s)
		if f < e.inputs.frame {
			e.inputs.outdated.add(f)
		}
	}
	e.agreement.settle(f, e.inputs.settleBelow(f))
	e.steps.effects.agree()
	return changed, nil
}

// refuseState returns the reason why a state cannot be corrected, as an error.
func (e *Engine[S, I]) refuseState(f Frame) error {
	switch newest := e.inputs.frame; {
	case e.agreement.failure != nil:
		return e.agreement.failure
	case f >= lastFrame:
		return fmt.Errorf("rollback: state %d: %w", f, ErrFrames)
	case f <= newest && e.states.hold(f, newest) != nil:
		return e.states.hold(f, newest)
	case f < e.Agreed():
		return fmt.Errorf("rollback: state %d: %w: %d frames are agreed", f, ErrSettled, e.Agreed())
	}
	return e.states.mem.correctable()
}

// redo simulates the outdated frames below end again. It leaves frames from end on to the next tick, unless their states
// would not change.
func (e *core[I]) redo(end Frame) error {
	if err := e.beforeRun(); err != nil {
		return err
	}
	newest := e.inputs.frame
	first, last := e.inputs.predictAgain()
	if !e.states.redo(&e.steps, first, last, end, newest) && end != newest {
		e.inputs.outdated.add(end)
		e.inputs.outdated.add(max(end, last))
	}
	return e.agreement.judge(e.steps.error(newest - 1))
}
