package rollback

import (
	"bytes"
	"fmt"

	"github.com/tickback/tickback/canon"
)

// checkInput refuses types of inputs that cannot be sent whole.
func checkInput[I comparable]() error {
	plan, err := canon.PlanFor[I]()
	if err != nil {
		return fmt.Errorf("rollback: inputs: %w", canon.AdviseFloats(err,
			"inputs have none, since machines compare them: give an integer, such as int16(32767*x), and divide in the step"))
	}
	if plan.Size() > MaxInputSize {
		return fmt.Errorf("rollback: inputs of type %T have %d bytes, more than %d", *new(I), plan.Size(), MaxInputSize)
	}
	for _, g := range plan.Gaps() {
		if g.Kind == canon.Excluded {
			return fmt.Errorf("rollback: inputs of type %T: the field %s is excluded, so that it would not reach other machines", *new(I), g.Path)
		}
	}
	return nil
}

// AddInput adds the input and the orders of a player that is not local. Frames may come
// in any order. Orders are copied; most frames have none.
//
// A second input for a frame is ignored if it is the same, and is a [*ConflictError] if
// not. Other errors: [*TooOldError], [*TooEarlyError], [*OrdersError], [*PlayerError],
// [ErrDisconnected]. After an error the match is as it was.
//
// If the frame has been simulated with another input, the next [Engine.Tick]
// rolls back.
func (e *Engine[S, I]) AddInput(p Player, f Frame, in I, orders []byte) error {
	// Nearly always the input is the player's next one, and no player is absent, early or supposed. Orders were predicted
	// as none.
	if e.remote.Has(p) && f == e.next[p.index()] && f-e.base < e.mask && len(orders) == 0 && e.irregular == 0 {
		at := &e.inputs[int(f&e.mask)*e.players+int(p)]
		if f < e.frame && *at != in {
			e.correct(p, f)
		}
		*at = in
		e.next[p.index()] = f + 1
		return nil
	}
	return e.addInput(p, f, in, orders)
}

func (e *Engine[S, I]) addInput(p Player, f Frame, in I, orders []byte) error {
	if !e.remote.Has(p) || f-e.base > e.mask-1 || len(orders) > e.maxOrders {
		return e.refuseInput(p, f, orders)
	}
	if e.has(p, f) {
		return e.compare(p, f, in, orders)
	}
	i := int(f&e.mask)*e.players + int(p)
	if f < e.frame && (e.inputs[i] != in || e.orders != nil && !bytes.Equal(e.orders[i], orders)) {
		e.correct(p, f)
	}
	e.inputs[i] = in
	if e.orders != nil {
		e.order(i, orders)
	}
	e.rows[f&e.mask] = e.rows[f&e.mask].settled(p)
	if f != e.next[p.index()] {
		e.rows[f&e.mask] = e.rows[f&e.mask].with(p)
		e.early[p]++
		e.irregular |= p.bit()
		return nil
	}
	if e.next[p.index()] = f + 1; e.irregular != 0 {
		e.skip(p)
	}
	return nil
}

// has reports whether the input of player p in frame f, which has a row, is known.
func (e *Engine[S, I]) has(p Player, f Frame) bool {
	return f < e.next[p.index()] || e.rows[f&e.mask].early().Has(p)
}

// order keeps a copy of orders.
func (e *Engine[S, I]) order(i int, orders []byte) { e.orders[i] = append(e.orders[i][:0], orders...) }

// correct notes that frame f was simulated with a wrong input of player p.
func (e *Engine[S, I]) correct(p Player, f Frame) {
	e.stats.Mispredicted[p]++
	e.invalidate(f)
}

// invalidate notes that frame f has to be simulated again.
func (e *Engine[S, I]) invalidate(f Frame) {
	if e.wrong == NoFrame {
		e.latest = f
	}
	e.wrong, e.latest = min(e.wrong, f), max(e.latest, f)
}

// skip moves player p's next frame past inputs that came early, and past an absence.
func (e *Engine[S, I]) skip(p Player) {
	for {
		switch n := e.next[p]; {
		case n == e.away[p].from:
			e.next[p] = e.away[p].back
			if n == NoFrame || e.next[p] == NoFrame {
				return
			}
		case e.early[p] > 0 && e.rows[n&e.mask].early().Has(p):
			e.next[p]++
			e.early[p]--
		default:
			if e.early[p] == 0 && e.away[p] == present {
				e.irregular &^= p.bit() &^ e.supposing
			}
			return
		}
	}
}

// compare distinguishes a duplicate from a conflict.
func (e *Engine[S, I]) compare(p Player, f Frame, in I, orders []byte) error {
	r := f & e.mask
	i := int(r)*e.players + int(p)
	switch {
	case e.rows[r].gone().Has(p):
		return ErrDisconnected
	case f < e.given: // a given state has replaced the frame's inputs
		e.stats.Duplicates++
		return nil
	case e.inputs[i] != in:
		return &ConflictError{p, f, "input"}
	case e.maxOrders > 0 && !bytes.Equal(e.orders[i], orders):
		return &ConflictError{p, f, "orders"}
	}
	e.stats.Duplicates++
	return nil
}

// refuseInput says what is wrong with an input.
func (e *Engine[S, I]) refuseInput(p Player, f Frame, orders []byte) error {
	switch {
	case e.local.Has(p):
		return &PlayerError{p, "is local: give the input to AddLocal"}
	case !e.all.Has(p):
		return e.noPlayer(p)
	case len(orders) > e.maxOrders:
		return &OrdersError{p, len(orders), e.maxOrders}
	}
	return e.outside(p, f)
}

// outside explains why frame f is not in the ring.
func (e *Engine[S, I]) outside(p Player, f Frame) error {
	if f < e.base {
		setting := "History"
		if f < e.start {
			setting = ""
		}
		return &TooOldError{p, f, e.base, setting}
	}
	return &TooEarlyError{p, f, e.base + e.mask - 1}
}

func (e *Engine[S, I]) noPlayer(p Player) error {
	return &PlayerError{p, fmt.Sprintf("is not one of the %d of this match", e.players)}
}

// Input returns the input and the orders of player p in frame f, and their status: [Confirmed] if they were received or
// sampled, [Disconnected], with zeros, if the player is gone, and otherwise [Predicted], with zeros too. A loop that
// collects inputs to send therefore stops at the first one that is not Confirmed. The orders belong to the engine and
// are valid until the next call of Tick.
func (e *Engine[S, I]) Input(p Player, f Frame) (in I, orders []byte, status Status) {
	switch {
	case !e.all.Has(p) || f-e.base > e.mask-1 || !e.has(p, f):
		return in, nil, Predicted
	case e.rows[f&e.mask].gone().Has(p):
		return in, nil, Disconnected
	}
	i := int(f&e.mask)*e.players + int(p)
	if e.orders != nil {
		orders = e.orders[i]
	}
	return e.inputs[i], orders, Confirmed
}
