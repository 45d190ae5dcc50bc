package rollback

import "fmt"

// Assume says what player p, whom this machine controls, will have done in frame f, before that is known. The true
// input ([Engine.SetTruth], [Engine.AddInput], [Engine.Feed]) later confirms or overrides it, for example when a server
// has replaced an input that came too late. Until then the supposed input takes the place of the prediction in that
// frame, with its orders, which are copied. If the true input differs, the engine goes back as for any wrong
// prediction. Later frames are predicted as if the supposed input were known.
//
// The frame is the one that runs next, or a later one for which there is room: up to about 3/4 of [Config.History]
// ahead. Frames may be supposed in any order, and repeatedly: the last call counts. A local player cannot be supposed,
// since its input is known ([Engine.AddLocal]). Errors: [ErrPast], [ErrKnown], [ErrDisconnected], [*TooEarlyError],
// [*OrdersError], [*PlayerError]. After an error the match is as it was.
func (e *Engine[S, I]) Assume(p Player, f Frame, in I, orders []byte) error {
	if !e.remote.Has(p) || f < e.frame || f-e.base > e.mask-1 || len(orders) > e.maxOrders || e.has(p, f) {
		return e.refuseSupposed(p, f, orders)
	}
	r := f & e.mask
	i := int(r)*e.players + int(p)
	e.inputs[i] = in
	if e.orders != nil {
		e.order(i, orders)
	}
	e.rows[r] = e.rows[r].supposing(p)
	e.supposing |= p.bit()
	e.irregular |= p.bit() // the fast path of an input does not check for supposed ones
	return nil
}

// supposes reports whether the input of player p in frame f, which has a row, is supposed.
func (e *Engine[S, I]) supposes(p Player, f Frame) bool { return e.rows[f&e.mask].supposed().Has(p) }

// refuseSupposed says why an input cannot be supposed.
func (e *Engine[S, I]) refuseSupposed(p Player, f Frame, orders []byte) error {
	why := ErrKnown
	switch {
	case e.local.Has(p):
		return &PlayerError{p, "is local: give the input to AddLocal"}
	case !e.all.Has(p):
		return e.noPlayer(p)
	case len(orders) > e.maxOrders:
		return &OrdersError{p, len(orders), e.maxOrders}
	case f < e.frame:
		why = ErrPast
	case f-e.base > e.mask-1:
		return e.outside(p, f)
	case e.rows[f&e.mask].gone().Has(p):
		why = ErrDisconnected
	}
	return fmt.Errorf("player %d, frame %d: %w", p, f, why)
}
