package rollback

import "fmt"

// Assume sets the input that player p, whom this machine controls, is expected to have in frame f, before the input is
// known. The true input ([Engine.SetTruth], [Engine.AddInput], [Engine.Feed]) later confirms or overrides it, for
// example when a server has replaced an input that came too late. Until then the supposed input takes the place of the
// prediction in that frame, with its orders, which are copied. If the true input differs, the engine goes back as for
// any wrong prediction. Later frames are predicted as if the supposed input were known.
//
// The frame is the one that runs next, or a later one for which there is room: up to about 3/4 of [Config.History]
// ahead. Frames may be supposed in any order, and repeatedly: the last call counts. A local player cannot be supposed,
// since its input is known ([Engine.AddLocal]). Errors: [ErrPast], [ErrKnown], [ErrDisconnected], [*TooEarlyError],
// [*OrdersError], [*PlayerError]. After an error the match is as it was.
func (e *core[I]) Assume(p Player, f Frame, in I, orders []byte) error {
	return e.inputs.suppose(p, f, in, orders)
}

// suppose sets the input that a player is expected to have.
func (n *inputs[I]) suppose(p Player, f Frame, in I, orders []byte) error {
	if !n.remote.Has(p) || f < n.frame || !n.ring.holds(f) || len(orders) > n.ring.maxOrders || n.has(p, f) {
		return n.refuseSupposed(p, f, orders)
	}
	n.ring.set(p, f, in, orders)
	n.ring.mark(f, n.ring.row(f).supposing(p))
	n.supposing |= p.bit()
	n.irregular |= p.bit() // the fast path of add does not check for supposed inputs
	return nil
}

// supposes reports whether the input of player p in frame f, which has a row, is supposed.
func (n *inputs[I]) supposes(p Player, f Frame) bool { return n.ring.row(f).supposed().Has(p) }

// refuseSupposed says why an input cannot be supposed.
func (n *inputs[I]) refuseSupposed(p Player, f Frame, orders []byte) error {
	why := ErrKnown
	switch {
	case !n.remote.Has(p) || len(orders) > n.ring.maxOrders:
		return n.refuse(p, f, orders)
	case f < n.frame:
		why = ErrPast
	case !n.ring.holds(f):
		return n.outside(p, f)
	case n.ring.row(f).gone().Has(p):
		why = ErrDisconnected
	}
	return fmt.Errorf("player %d, frame %d: %w", p, f, why)
}
