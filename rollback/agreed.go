package rollback

import "github.com/tickback/tickback/rollback/effects"

// Agreed is a frame whose inputs every peer has, as the agreed stream yields it. It never changes.
type Agreed[I any] struct {
	Frame    Frame
	Inputs   []I       // one per player
	Orders   [][]byte  // one per player; nil if the match has no orders
	Statuses []Status  // one per player: Confirmed or Disconnected
	Gone     PlayerSet // the players whose status is Disconnected
	// Hash is the hash of state Frame + 1, to which these inputs led, if Hashed.
	Hash   uint64
	Hashed bool
	// Result is the result of the match, if this is the frame that ended it. Then
	// Finished is true, in this frame only.
	Result   uint64
	Finished bool
}

// Agree informs the engine that all peers have the inputs of the frames below n, which the owner learns from the
// peers. The count must not decrease, nor exceed [Engine.Confirmed]. If all players are local there are no peers, and
// confirmed frames are agreed.
func (e *core[I]) Agree(n Frame) error {
	err := e.agreement.agree(n, e.Agreed(), e.Confirmed())
	if err == nil && e.watched {
		e.steps.effects.agree()
	}
	return err
}

// Agreed returns how many frames are agreed.
func (e *core[I]) Agreed() Frame {
	if e.agreement.alone {
		return e.Confirmed()
	}
	return e.agreement.count
}

// Final returns the number of the newest state that will not change again: all inputs before it are known, and have
// been simulated. The engine holds it.
func (e *core[I]) Final() Frame {
	return min(e.Confirmed(), e.inputs.right())
}

// NextAgreed returns the next frame of the agreed stream, which yields every frame once, in order. It returns nil if
// there is none yet, without [Config.Stream], and once the match has failed. The frame and its slices belong to the
// engine and are valid until the next call of NextAgreed or Tick.
func (e *core[I]) NextAgreed() *Agreed[I] {
	f, a := e.agreement.read, &e.yielded
	if !e.agreement.stream || e.agreement.failure != nil || f >= min(e.Agreed(), e.inputs.right()) {
		return nil
	}
	var err error
	if a.Hash, a.Hashed, err = e.states.sum(f+1, e.inputs.frame, e.steps.tick.meter); err != nil {
		e.agreement.fail(err)
		return nil
	}
	e.agreement.readNext()
	r := &e.inputs.ring
	i := int(f&r.mask) * r.players
	a.Frame, a.Inputs = f, r.inputs[i:i+r.players:i+r.players]
	if r.orders != nil {
		a.Orders = r.orders[i : i+r.players : i+r.players]
	}
	if gone := r.row(f).gone(); gone != a.Gone || a.Statuses == nil {
		a.setGone(gone, r.players)
	}
	o, over := e.Result()
	if a.Finished = over && o.Frame == f; a.Finished {
		a.Result = o.Result
	} else {
		a.Result = 0
	}
	return a
}

// setGone sets the statuses of n players: those in gone are Disconnected.
func (a *Agreed[I]) setGone(gone PlayerSet, n int) {
	if a.Gone = gone; a.Statuses == nil {
		a.Statuses = make([]Status, n)
	}
	for p := range a.Statuses {
		a.Statuses[p] = Confirmed
		if gone.Has(Player(p)) {
			a.Statuses[p] = Disconnected
		}
	}
}

// Result returns how the match ended, as all peers agree, and whether it has ended. The first frame that called
// [Tick.Finish] counts. The result never changes.
func (e *core[I]) Result() (Outcome, bool) {
	if e.steps.ending.open {
		e.steps.ending.judge(min(e.Agreed(), e.inputs.right()))
	}
	return e.steps.ending.outcome, e.steps.ending.over
}

// Provisional returns how the match ended, according to this engine alone. It is like [Engine.Result], but may be
// based on predictions. Frames that are known to be wrong do not count.
func (e *core[I]) Provisional() (Outcome, bool) {
	if o, over := e.Result(); !e.steps.ending.open {
		return o, over
	}
	return e.steps.ending.first(e.inputs.right())
}

// Ending reports whether a frame that an engine has run has called [Tick.Finish]: until then [Engine.Result] and
// [Engine.Provisional] have nothing to say. It is for owners that would ask them in every frame, and changes only when
// frames run, or another match begins.
func Ending[S any, I comparable](e *Engine[S, I]) bool {
	return e.steps.ending.open || e.steps.ending.over
}

// Effects returns the changes of effects since the last call, however many ticks, rollbacks and agreements there were.
// Call it once per rendered frame: events are dropped after [Config.History] frames without a call. The slice belongs
// to the engine and is valid until the next call of Tick, Settle, Correct or Effects.
func (e *core[I]) Effects() []effects.Event {
	if !e.steps.effects.fresh {
		return nil
	}
	return e.flush()
}

// flush returns what has become of effects. Frames that may still run again confirm none.
func (e *core[I]) flush() []effects.Event {
	now, wrong := e.inputs.frame, e.inputs.outdated.first
	tested := NoFrame
	if e.depth > 0 {
		tested = now - min(e.depth, now-e.inputs.given) // the sync test runs no frame below this again
	}
	return e.steps.effects.flush(now, min(e.Confirmed(), wrong), min(e.Agreed(), wrong, tested))
}
