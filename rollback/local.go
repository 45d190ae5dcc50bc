package rollback

import "fmt"

// NeedsInput reports whether the local player p has to be sampled before the
// next [Engine.Tick]: once for each frame, even if that frame then stalls.
func (e *Engine[S, I]) NeedsInput(p Player) bool { return e.owed.Has(p) }

// AddLocal adds the current input of the local player p. It takes effect after the player's input delay; see
// [Engine.SetDelay]. Orders are copied. [Engine.Next] tells which frames it has filled, and [Engine.Input] with which
// inputs.
//
// Errors: [*PlayerError], [*OrdersError], [ErrSampled] if the player does not
// need a sample now, [ErrDisconnected].
func (e *Engine[S, I]) AddLocal(p Player, in I, orders []byte) error {
	// Nearly always the sample's frame follows that of the last sample.
	f := e.next[p.index()]
	if e.owed.Has(p) && f == e.frame+e.delay[p.index()] && len(orders) == 0 && e.irregular == 0 {
		e.owed &^= p.bit()
		e.inputs[int(f&e.mask)*e.players+int(p)] = in
		e.next[p.index()] = f + 1
		return nil
	}
	if !e.owed.Has(p) || len(orders) > e.maxOrders {
		return e.refuseLocal(p, orders)
	}
	e.owed &^= p.bit()
	e.shift(p, in, orders)
	return nil
}

// refuseLocal says what is wrong with a sample.
func (e *Engine[S, I]) refuseLocal(p Player, orders []byte) error {
	why := ErrSampled
	switch {
	case !e.local.Has(p):
		return e.notLocal(p, "is not local: give the input to AddInput")
	case len(orders) > e.maxOrders:
		return &OrdersError{p, len(orders), e.maxOrders}
	case e.rows[e.frame&e.mask].gone().Has(p):
		why = ErrDisconnected
	}
	return fmt.Errorf("player %d, frame %d: %w", p, e.frame, why)
}

// shift takes a sample whose frame may not be the one after the last sample's.
//
// If the delay has grown, the frames in between have no sample. They repeat the input, but only once it no longer
// changes, so a held button is held longer and a tap stays a tap. If the delay has shrunk, a sample that repeats the
// one before is left out.
func (e *Engine[S, I]) shift(p Player, in I, orders []byte) {
	target := e.frame + e.delay[p]
	if e.leavesBefore(p) {
		return
	}
	filler, still := in, len(orders) == 0 && e.still(p, in)
	switch {
	case e.next[p] > target && still:
		return
	case e.next[p] == e.start || e.rows[(e.next[p]-1)&e.mask].gone().Has(p):
		filler, still = *new(I), true // the first sample
	}
	for still && e.next[p] < target {
		if !e.append(p, filler, nil) {
			return
		}
	}
	e.append(p, in, orders)
}

// leavesBefore reports whether the player, who is present in the current frame, leaves before a sample would take
// effect. It also considers an absence that only the rows still record because a later one has replaced it in e.away.
func (e *Engine[S, I]) leavesBefore(p Player) bool {
	next, away := e.next[p], e.away[p]
	return e.frame < away.from && next >= away.back ||
		e.frame < next && e.rows[(next-1)&e.mask].gone().Has(p)
}

// append sets the input of player p in the first frame without one, which has not been
// simulated. It reports whether the player is present in the frame after it.
func (e *Engine[S, I]) append(p Player, in I, orders []byte) bool {
	f := e.next[p]
	i := int(f&e.mask)*e.players + int(p)
	e.inputs[i] = in
	if len(orders) > 0 {
		e.order(i, orders)
	}
	if e.next[p] = f + 1; e.irregular != 0 {
		e.skip(p)
	}
	return e.next[p] == f+1
}

// still reports whether in repeats the player's newest known input, and that input had no orders.
func (e *Engine[S, I]) still(p Player, in I) bool {
	i := int((e.next[p]-1)&e.mask)*e.players + int(p)
	return e.inputs[i] == in && (e.orders == nil || len(e.orders[i]) == 0)
}

// SetDelay changes the input delay of a local player, in frames from now on: 0
// to [MaxDelay].
//
// No input of the player is lost, doubled or reordered. A longer delay repeats an input, and a shorter one leaves out a
// repetition, but only in a frame in which the player does the same as in the frame before, both without orders: a held
// button is held a little longer or shorter, and a tap stays a tap. The old delay stays in effect until there has been
// such a frame, or, for a shorter delay, as many of them as the delay is shortened by.
func (e *Engine[S, I]) SetDelay(p Player, frames int) error {
	if !e.local.Has(p) {
		return e.notLocal(p, "plays elsewhere: set its input delay where it plays")
	}
	if err := checkDelay(p, frames); err != nil {
		return err
	}
	e.delay[p] = Frame(frames)
	return nil
}

// Delay returns the input delay of a local player: the requested one, and the one in effect between a sample and its
// frame.
func (e *Engine[S, I]) Delay(p Player) (asked, actual int) {
	if !e.local.Has(p) {
		return 0, 0
	}
	asked, ahead := int(e.delay[p]), e.next[p]
	if !e.owed.Has(p) {
		ahead-- // this counts the sample for this frame
	}
	if ahead < e.frame || ahead-e.frame > MaxDelay {
		return asked, asked // nothing has been sampled yet, or the player is leaving
	}
	return asked, int(ahead - e.frame)
}

func (e *Engine[S, I]) notLocal(p Player, why string) error {
	if e.all.Has(p) {
		return &PlayerError{p, why}
	}
	return e.noPlayer(p)
}
