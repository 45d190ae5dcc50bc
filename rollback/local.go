package rollback

import "fmt"

// sampling decides which local players have to be sampled, and in which frames their samples take effect.
type sampling[I comparable] struct {
	roster roster
	owed   PlayerSet         // local players whose sample for the frame is missing
	delay  [MaxPlayers]Frame // input delays
}

func newSampling[I comparable](cfg *Config) (m sampling[I]) {
	m.roster = roster{everyone(cfg.Players), cfg.Local}
	for p, d := range cfg.Delay {
		m.delay[p] = Frame(d)
	}
	return m
}

// next asks for the samples of the next frame, in which some players are absent.
func (m *sampling[I]) next(absent PlayerSet) { m.owed = m.roster.local &^ absent }

// ask asks for another sample of a player, if it is local; excuse does not wait for one any longer.
func (m *sampling[I]) ask(p Player)    { m.owed |= m.roster.local & p.bit() }
func (m *sampling[I]) excuse(p Player) { m.owed &^= p.bit() }

// add adds a sample.
func (m *sampling[I]) add(n *inputs[I], p Player, in I, orders []byte) error {
	// Nearly always the sample's frame follows that of the last sample.
	f := n.next[p.index()]
	if m.owed.Has(p) && f == n.frame+m.delay[p.index()] && len(orders) == 0 && n.irregular == 0 {
		m.owed &^= p.bit()
		n.follow(p, in)
		return nil
	}
	if !m.owed.Has(p) || len(orders) > n.ring.maxOrders {
		return m.refuse(n, p, orders)
	}
	m.excuse(p)
	m.shift(n, p, in, orders)
	return nil
}

// refuse returns the reason why a sample is refused, as an error.
func (m *sampling[I]) refuse(n *inputs[I], p Player, orders []byte) error {
	why := ErrSampled
	switch {
	case !m.roster.local.Has(p):
		return m.roster.refuse(p, "is not local: give the input to AddInput")
	case len(orders) > n.ring.maxOrders:
		return &OrdersError{p, len(orders), n.ring.maxOrders}
	case n.absent().Has(p):
		why = ErrDisconnected
	}
	return fmt.Errorf("player %d, frame %d: %w", p, n.frame, why)
}

// feed adds the input of a player in the next frame, which is known from elsewhere. It needs no sample then.
func (m *sampling[I]) feed(n *inputs[I], p Player, in I, orders []byte) error {
	if !m.roster.local.Has(p) {
		return n.add(p, n.frame, in, orders)
	}
	if len(orders) > n.ring.maxOrders {
		return &OrdersError{p, len(orders), n.ring.maxOrders}
	}
	if !n.has(p, n.frame) {
		n.append(p, in, orders)
	} else if err := n.compare(p, n.frame, in, orders); err != nil { // the player has already been sampled
		return err
	}
	m.excuse(p)
	return nil
}

// shift takes a sample whose frame may not directly follow that of the last sample.
//
// If the delay has grown, the frames in between have no sample. They repeat the input, but only once it no longer
// changes: a held button is held longer, and a tap stays a tap. If the delay has shrunk, a sample that repeats the
// previous one is left out.
func (m *sampling[I]) shift(n *inputs[I], p Player, in I, orders []byte) {
	target := n.frame + m.delay[p]
	if n.leavesBefore(p) {
		return
	}
	filler, still := in, len(orders) == 0 && n.still(p, in)
	switch next := n.next[p]; {
	case next > target && still:
		return
	case next == n.start || n.ring.row(next-1).gone().Has(p):
		filler, still = *new(I), true // the first sample
	}
	for still && n.next[p] < target {
		if !n.append(p, filler, nil) {
			return
		}
	}
	n.append(p, in, orders)
}

// setDelay changes the input delay of a local player.
func (m *sampling[I]) setDelay(p Player, frames int) error {
	if !m.roster.local.Has(p) {
		return m.roster.refuse(p, "plays elsewhere: set its input delay where it plays")
	}
	if err := checkDelay(p, frames); err != nil {
		return err
	}
	m.delay[p] = Frame(frames)
	return nil
}

// delayOf returns the input delay of a player in a frame: the requested one, and the one in effect. next is the first
// frame without an input.
func (m *sampling[I]) delayOf(p Player, frame, next Frame) (asked, actual int) {
	if !m.roster.local.Has(p) {
		return 0, 0
	}
	asked = int(m.delay[p])
	if !m.owed.Has(p) {
		next-- // this counts the sample for this frame
	}
	if next < frame || next-frame > MaxDelay {
		return asked, asked // nothing has been sampled yet, or the player is leaving
	}
	return asked, int(next - frame)
}

// NeedsInput reports whether the local player p has to be sampled before the
// next [Engine.Tick]: once for each frame, even if that frame then stalls.
func (e *core[I]) NeedsInput(p Player) bool { return e.sampling.owed.Has(p) }

// AddLocal adds the current input of the local player p. It takes effect after the player's input delay; see
// [Engine.SetDelay]. Orders are copied. [Engine.Next] tells which frames it has filled, and [Engine.Input] with which
// inputs.
//
// Errors: [*PlayerError], [*OrdersError], [ErrSampled] if the player does not
// need a sample now, [ErrDisconnected].
func (e *core[I]) AddLocal(p Player, in I, orders []byte) error {
	return e.sampling.add(&e.inputs, p, in, orders)
}

// SetDelay changes the input delay of a local player, in frames from now on: 0
// to [MaxDelay].
//
// No input of the player is lost, doubled or reordered. A longer delay repeats an input, and a shorter one leaves out a
// repetition, but only in a frame in which the player does the same as in the frame before, both without orders: a held
// button is held a little longer or shorter, and a tap stays a tap. The old delay stays in effect until there has been
// such a frame, or, for a shorter delay, as many of them as the delay is shortened by.
func (e *core[I]) SetDelay(p Player, frames int) error { return e.sampling.setDelay(p, frames) }

// Delay returns the input delay of a local player: the requested one, and the one in effect between a sample and its
// frame.
func (e *core[I]) Delay(p Player) (asked, actual int) {
	return e.sampling.delayOf(p, e.inputs.frame, e.Next(p))
}
