package rollback

import "fmt"

// NeedsInput reports whether the local player p has to be sampled before the
// next [Engine.Tick]: once for each frame, also if that frame then stalls.
func (e *Engine[S, I]) NeedsInput(p Player) bool { return e.owed.Has(p) }

// AddLocal gives what the local player p does now. It takes effect after the
// player's input delay; see [Engine.SetDelay]. Orders are copied. [Engine.Next]
// tells which frames it has filled, and [Engine.Input] with what.
//
// Errors: [*PlayerError], [*OrdersError], [ErrSampled] if the player does not
// need a sample now, [ErrDisconnected].
func (e *Engine[S, I]) AddLocal(p Player, in I, orders []byte) error {
	if !e.owed.Has(p) || len(orders) > e.maxOrders {
		return e.refuseLocal(p, orders)
	}
	e.owed &^= p.bit()
	w := &e.who[p&(MaxPlayers-1)]
	if w.next != e.frame+w.delay && !e.shift(p, in, len(orders) == 0) {
		return nil
	}
	// It is the first frame without an input, and has not been simulated.
	r := int(w.next & e.mask)
	i := r*e.players + int(p)
	e.inputs[i] = in
	e.rows[r] = e.rows[r].with(p)
	if len(orders) > 0 {
		e.orders[i] = append(e.orders[i][:0], orders...)
	}
	if w.next++; w.next == w.away.from {
		e.skip(p)
	}
	return nil
}

// refuseLocal says what is wrong with a sample.
func (e *Engine[S, I]) refuseLocal(p Player, orders []byte) error {
	why := ErrSampled
	switch {
	case !e.local.Has(p):
		return e.notLocal(p)
	case len(orders) > e.maxOrders:
		return &OrdersError{p, len(orders), e.maxOrders}
	case e.rows[e.frame&e.mask].gone().Has(p):
		why = ErrDisconnected
	}
	return fmt.Errorf("player %d, frame %d: %w", p, e.frame, why)
}

// shift makes room for a sample whose frame is not the one after the last
// sample's, and reports whether the sample is wanted.
//
// Where the delay has grown, the frames between have no sample. They repeat what
// the player does, once that holds still: a button that is held is held longer,
// and one that was tapped is not. Where the delay has shrunk, a sample that says
// nothing new is left out.
func (e *Engine[S, I]) shift(p Player, in I, plain bool) bool {
	w := &e.who[p]
	target := e.frame + w.delay
	if e.frame < w.away.from && w.next >= w.away.back {
		return false // the player leaves before this would take effect
	}
	still := plain && e.still(p, in)
	if w.next > target {
		return !still
	}
	if w.next == e.start || w.next == w.away.back {
		in, still = *new(I), true // the first sample
	}
	for still && w.next < target {
		r := int(w.next & e.mask)
		e.inputs[r*e.players+int(p)] = in
		e.rows[r] = e.rows[r].with(p)
		if w.next++; w.next == w.away.from {
			e.skip(p)
			return false
		}
	}
	return true
}

// still reports whether in is what player p did in the newest known frame,
// without orders.
func (e *Engine[S, I]) still(p Player, in I) bool {
	i := int((e.who[p].next-1)&e.mask)*e.players + int(p)
	return e.inputs[i] == in && (e.orders == nil || len(e.orders[i]) == 0)
}

// SetDelay changes the input delay of a local player, in frames from now on: 0
// to [MaxDelay].
//
// Nothing that the player does is lost, doubled or reordered by it. A longer
// delay repeats an input, and a shorter one leaves out a repetition, in a frame
// in which the player holds still and gives no orders; until there has been such
// a frame, or as many as the delay is shortened by, the old delay is in effect.
func (e *Engine[S, I]) SetDelay(p Player, frames int) error {
	if !e.local.Has(p) {
		return e.notLocal(p)
	}
	if err := checkDelay(p, frames); err != nil {
		return err
	}
	e.who[p].delay = Frame(frames)
	return nil
}

// Delay returns the input delay of a local player: what was asked for, and what
// is in effect between a sample and its frame.
func (e *Engine[S, I]) Delay(p Player) (asked, actual int) {
	if !e.local.Has(p) {
		return 0, 0
	}
	w := &e.who[p]
	asked, ahead := int(w.delay), w.next
	if !e.owed.Has(p) {
		ahead-- // the sample for this frame is in it
	}
	if ahead < e.frame || ahead-e.frame > MaxDelay {
		return asked, asked // nothing has been sampled yet, or the player is leaving
	}
	return asked, int(ahead - e.frame)
}

func (e *Engine[S, I]) notLocal(p Player) error {
	if e.all.Has(p) {
		return &PlayerError{p, "is not local: give the input to AddInput"}
	}
	return e.noPlayer(p)
}
