package rollback

// absence is a time without a player, from one frame to another. Frames in it count as known, with zero inputs. cut is
// the frame of the latest Disconnect in it: from, or the frame at which the player should have come back and did not.
type absence struct{ from, back, cut Frame }

// present is the absence of a player that is never gone.
var present = absence{NoFrame, NoFrame, NoFrame}

func (a absence) covers(f Frame) bool { return a.from <= f && f < a.back }

// Disconnect says that player p is gone from a frame on, as all peers have agreed: from there on its input is zero, its
// status is [Disconnected], and no input is expected. Missing inputs below the frame are still expected.
//
// No confirmed input is taken back: a frame below [Engine.Next] is a [*ConflictError]. If frames from there on have run
// with predictions, the next tick rolls back; if they are no longer held, the error is a [*TooOldError]. If the player
// is away already, the error is a [*PlayerError]. A player that will come back ([Engine.Connect]) may be disconnected
// again even before it does. If that is from the frame of the return itself, it was never back: its absence goes on,
// and it may come back in any frame after the one in which it left. If it is from a later frame, the error is a
// [*PlayerError] if inputs from before the absence are missing, or if the return is so far ahead that there is no room
// for inputs of that frame.
func (e *Engine[S, I]) Disconnect(p Player, from Frame) error {
	switch {
	case !e.all.Has(p):
		return e.noPlayer(p)
	case e.away[p].back == NoFrame && e.away[p].from != NoFrame:
		return &PlayerError{p, "is disconnected already"}
	case e.away[p].back != NoFrame && e.away[p].back != from && (e.next[p] < e.away[p].back || e.farAhead(e.away[p].back)):
		return &PlayerError{p, "has not come back yet"}
	case from >= lastFrame:
		return ErrFrames
	case from < e.base:
		return e.outside(p, from)
	case from < e.next[p]:
		return &ConflictError{p, from, "cut"}
	}
	if a := &e.away[p]; a.back == from {
		if a.back, a.cut = NoFrame, from; e.next[p] == from {
			e.next[p] = NoFrame
		}
	} else {
		*a = absence{from, NoFrame, from}
	}
	e.irregular |= p.bit()
	e.sparse = true
	for f := from; f-e.base <= e.mask-1; f++ {
		e.markGone(p, f)
	}
	if from < e.frame {
		e.invalidate(from)
		e.invalidate(e.frame - 1)
	}
	if from <= e.frame {
		e.owed &^= 1 << p
	}
	e.skip(p)
	return nil
}

// farAhead reports whether frame f may have no row yet. Once f has a row, the rows before it record the absence that
// ends there, so another absence may replace that in e.away.
func (e *Engine[S, I]) farAhead(f Frame) bool { return f > e.frame && f-e.frame >= e.ahead }

// markGone marks player p as gone in frame f. An input that came early is dropped.
func (e *Engine[S, I]) markGone(p Player, f Frame) {
	r := f & e.mask
	i := int(r)*e.players + int(p)
	if e.rows[r].early().Has(p) {
		e.early[p]--
	}
	e.rows[r] = e.rows[r].without(p)
	e.inputs[i] = *new(I)
	if e.orders != nil {
		e.orders[i] = e.orders[i][:0]
	}
}

// Connect says that player p, who is disconnected, is present from a frame on, as all peers have agreed: no peer has
// run or confirmed that frame before it learns of the return. Inputs of other players for that frame and later ones may
// have arrived already, as happens with an input delay: they stay.
//
// If [Engine.Confirmed] was beyond that frame, it goes back to it, since the input of p is needed from there on. If p
// is local, samples begin with that frame, and the delay starts anew: until the first sample takes effect, the inputs
// are zero. Errors: [*PlayerError]; [*ConflictError] if the frame has run or is agreed without the player, or is not
// after the frame in which the player left.
func (e *Engine[S, I]) Connect(p Player, at Frame) error {
	switch {
	case !e.all.Has(p):
		return e.noPlayer(p)
	case e.away[p].from == NoFrame || e.away[p].back != NoFrame:
		return &PlayerError{p, "is not disconnected"}
	case at >= lastFrame:
		return ErrFrames
	case at <= e.away[p].from || at < max(e.frame, e.Agreed()):
		return &ConflictError{p, at, "cut"}
	}
	e.admit(p, at)
	if at == e.frame && e.local.Has(p) {
		e.owed |= p.bit()
	}
	return nil
}

// admit ends the absence of player p at a frame.
func (e *Engine[S, I]) admit(p Player, at Frame) {
	e.away[p].back, e.sure = at, 0
	for f := max(at, e.base); f-e.base <= e.mask-1; f++ {
		r := f & e.mask
		e.rows[r] = e.rows[r].open(p)
	}
	if e.next[p] == NoFrame {
		e.next[p] = at
	}
}

// forgetAbsences forgets absences that are over: the rows record all that is needed.
func (e *Engine[S, I]) forgetAbsences() {
	for p := range e.away {
		if back := e.away[p].back; back < min(e.frame, e.next[p]) {
			e.away[p] = present
			if e.early[p] == 0 {
				e.irregular &^= Player(p).bit() &^ e.supposing
			}
		}
	}
}
