package rollback

import "fmt"

// Feed runs the next frame from what all peers have agreed on: the inputs and orders of
// each player (nil means no orders), and the players that are disconnected. Nothing is
// predicted. It does the same as [Engine.Disconnect] and [Engine.Connect] for players
// that left and came back, [Engine.AddInput], [Engine.Agree] and [Engine.Tick], and
// returns their errors. Local players are not sampled for such a frame: their input is
// known.
//
// It is for spectators, replays and late joins. A machine that joins late loads a state
// ([Engine.Load]) and feeds the agreed frames from there on, while its players are still
// disconnected. When it has caught up, it goes on with AddInput, Agree and Tick like all
// others, and [Engine.Connect] brings its players in. Inputs may be added before the last
// frame is fed.
func (e *Engine[S, I]) Feed(inputs []I, orders [][]byte, gone PlayerSet) error {
	if len(inputs) != e.players || orders != nil && len(orders) != e.players {
		return fmt.Errorf("rollback: frame %d has %d inputs and %d orders for %d players", e.frame, len(inputs), len(orders), e.players)
	}
	if err := e.setPresent(gone); err != nil {
		return err
	}
	for p := range Player(e.players) {
		if gone.Has(p) {
			continue
		}
		var o []byte
		if orders != nil {
			o = orders[p]
		}
		if err := e.take(p, inputs[p], o); err != nil {
			return err
		}
	}
	if err := e.Tick(); err != nil {
		return err
	}
	return e.Agree(max(e.Agreed(), e.frame)) // without players, the frame is confirmed only now
}

// take adds the input of a player in the next frame.
func (e *Engine[S, I]) take(p Player, in I, orders []byte) error {
	switch {
	case !e.local.Has(p):
		return e.AddInput(p, e.frame, in, orders)
	case len(orders) > e.maxOrders:
		return &OrdersError{p, len(orders), e.maxOrders}
	case !e.has(p, e.frame):
		e.append(p, in, orders)
	default: // it was sampled
		if err := e.compare(p, e.frame, in, orders); err != nil {
			return err
		}
	}
	e.owed &^= p.bit()
	return nil
}

// setPresent disconnects the players that are gone in the next frame, and connects those that
// have come back.
func (e *Engine[S, I]) setPresent(gone PlayerSet) error {
	f := e.frame
	was := e.rows[f&e.mask].gone()
	for p := range (was ^ gone&e.all).All() {
		err := e.Disconnect
		if was.Has(p) {
			err = e.Connect
		}
		if err := err(p, f); err != nil {
			return err
		}
	}
	return nil
}
