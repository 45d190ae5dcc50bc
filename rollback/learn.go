package rollback

import "fmt"

// SetTruth takes the truth about frame f from a server that owns the match: the inputs and orders of the players in
// told (nil means no orders), and which of these players are disconnected. The inputs of all other players stay
// predicted. The frame may have run already, on predictions; the next tick corrects what differs.
//
// SetTruth is to frames that may have run what [Engine.Feed] is to the next frame. It does the same as
// [Engine.AddInput], [Engine.Disconnect] and [Engine.Connect], with two exceptions. A player may come back in a frame
// that has run without it; or, if that is not agreed, in the very frame in which it was disconnected: then it was never
// away. And if all inputs up to frame f are known then, these frames are agreed ([Engine.Agree]). A frame before a
// state that was set ([Engine.Correct], [Engine.Load]) is ignored. Frames must come in ascending order; one that is
// repeated must be the same, or the error is a [*ConflictError].
//
// Other errors are those of these calls; some players of the frame may have been taken before the error. A machine that
// uses SetTruth has no local players: it supposes what they do ([Engine.Assume]).
func (e *Engine[S, I]) SetTruth(f Frame, inputs []I, orders [][]byte, told, gone PlayerSet) error {
	if len(inputs) != e.players || orders != nil && len(orders) != e.players {
		return fmt.Errorf("rollback: frame %d has %d inputs and %d orders for %d players", f, len(inputs), len(orders), e.players)
	}
	if f < e.given {
		return nil
	}
	for told &= e.all; told != 0; told &= told - 1 {
		p := told.first()
		var o []byte
		if orders != nil {
			o = orders[p]
		}
		if err := e.learn(p, f, inputs[p], o, gone.Has(p)); err != nil {
			return err
		}
	}
	if f >= e.Agreed() && f-e.base <= e.mask-1 { // none of the told players is left
		for back := e.rows[f&e.mask].gone() & e.remote &^ gone; back != 0; back &= back - 1 {
			if err := e.comeBack(back.first(), f); err != nil {
				return err
			}
		}
	}
	if f < e.Agreed() || f >= e.Confirmed() {
		return nil
	}
	return e.Agree(f + 1)
}

// learn takes the input of a player in a frame.
func (e *Engine[S, I]) learn(p Player, f Frame, in I, orders []byte, gone bool) error {
	if f-e.base > e.mask-1 {
		return e.outside(p, f)
	}
	switch was := e.rows[f&e.mask].gone().Has(p); {
	case was && gone:
		return nil
	case gone:
		return e.Disconnect(p, f)
	case was:
		if err := e.comeBack(p, f); err != nil {
			return err
		}
	}
	return e.AddInput(p, f, in, orders)
}

// comeBack is Connect for a frame that may have run without the player, on the prediction
// that it stays away.
func (e *Engine[S, I]) comeBack(p Player, at Frame) error {
	a := e.away[p]
	never := at == a.from && a.back == NoFrame && at >= e.Agreed() // it was never away
	switch {
	case at >= e.frame && !never:
		return e.Connect(p, at)
	case a.back != NoFrame || at <= a.from && !never || at < e.Agreed():
		return &ConflictError{p, at, "cut"}
	case at < e.oldest():
		return &TooOldError{p, at, e.oldest(), "Snapshots"}
	}
	e.admit(p, at)
	if never {
		e.away[p] = present // an absence of zero frames would be skipped forever
	}
	if at < e.frame {
		e.invalidate(at)
		e.invalidate(e.frame - 1)
	}
	return nil
}
