package rollback

// SetTruth sets the true inputs of frame f, as they come from a server that owns the match: the inputs and orders of
// the players in told (nil means no orders), and which of these players are disconnected. The inputs of all other
// players stay predicted. The frame may have run already, on predictions; the next tick corrects what differs.
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
func (e *core[I]) SetTruth(f Frame, inputs []I, orders [][]byte, told, gone PlayerSet) error {
	err := e.inputs.learn(f, inputs, orders, told, gone, e.Agreed(), e.states.oldest(e.inputs.frame))
	if err != nil || f < e.Agreed() || f >= e.Confirmed() {
		return err
	}
	return e.Agree(f + 1)
}

// learn takes the true inputs of frame f. Frames below agreed are agreed, and states are held from oldest on.
func (n *inputs[I]) learn(f Frame, inputs []I, orders [][]byte, told, gone PlayerSet, agreed, oldest Frame) error {
	if err := n.ring.fits(f, inputs, orders); err != nil {
		return err
	}
	if f < n.given {
		return nil
	}
	for told &= n.roster.all; told != 0; told &= told - 1 {
		p := told.first()
		if err := n.learnOne(p, f, inputs[p], ordersOf(orders, p), gone.Has(p), agreed, oldest); err != nil {
			return err
		}
	}
	if f < agreed || !n.ring.holds(f) {
		return nil
	}
	for back := n.ring.row(f).gone() & n.remote &^ gone; back != 0; back &= back - 1 { // none of the told players is left
		if err := n.comeBack(back.first(), f, agreed, oldest); err != nil {
			return err
		}
	}
	return nil
}

// ordersOf returns the orders of a player; nil stands for none of all players.
func ordersOf(orders [][]byte, p Player) []byte {
	if orders == nil {
		return nil
	}
	return orders[p]
}

// learnOne takes the true input of a player, or that it is gone.
func (n *inputs[I]) learnOne(p Player, f Frame, in I, orders []byte, gone bool, agreed, oldest Frame) error {
	if !n.remote.Has(p) || !n.ring.holds(f) {
		return n.refuse(p, f, nil)
	}
	switch was := n.ring.row(f).gone().Has(p); {
	case was && gone:
		return nil
	case gone:
		return n.disconnect(p, f)
	case was:
		if err := n.comeBack(p, f, agreed, oldest); err != nil {
			return err
		}
	}
	return n.add(p, f, in, orders)
}

// comeBack is connect for a frame that may have run without the player. States are held from oldest on.
func (n *inputs[I]) comeBack(p Player, at, agreed, oldest Frame) error {
	a := n.away[p]
	never := at == a.from && a.back == NoFrame && at >= agreed // it was never away
	switch {
	case at >= n.frame && !never:
		return n.connect(p, at, agreed)
	case a.back != NoFrame || at <= a.from && !never || at < agreed:
		return &ConflictError{p, at, "cut"}
	case at < oldest:
		return &TooOldError{p, at, oldest, "Snapshots"}
	}
	n.admit(p, at)
	if never {
		n.away[p] = present // an absence of zero frames would be skipped forever
	}
	n.outdated.addAll(at, n.frame)
	return nil
}
