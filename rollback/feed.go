package rollback

import "fmt"

// Feed runs the next frame from what all peers have agreed on: the inputs and the
// orders of each player (nil is none), and who is disconnected. It is for those who
// only follow a match, spectators and replays: no player is local, and nothing is
// predicted. It is the same as [Engine.Disconnect] and [Engine.Connect] for who has
// gone and come back, [Engine.AddInput], [Engine.Agree] and [Engine.Tick]. The errors
// are theirs, and [*PlayerError] if players are local.
func (e *Engine[S, I]) Feed(inputs []I, orders [][]byte, gone PlayerSet) error {
	if e.local != 0 {
		return &PlayerError{e.local.first(), "is local: Feed is for engines that only follow"}
	}
	if len(inputs) != e.players || orders != nil && len(orders) != e.players {
		return fmt.Errorf("rollback: frame %d has %d inputs and %d orders for %d players", e.frame, len(inputs), len(orders), e.players)
	}
	if err := e.seat(gone); err != nil {
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
		if err := e.AddInput(p, e.frame, inputs[p], o); err != nil {
			return err
		}
	}
	if err := e.Agree(min(e.frame+1, e.Confirmed())); err != nil {
		return err
	}
	if err := e.Tick(); err != nil || e.agreed == e.frame {
		return err
	}
	return e.Agree(e.frame) // nobody is there: only now is it confirmed
}

// seat disconnects who has gone in the next frame, and connects who has come back.
func (e *Engine[S, I]) seat(gone PlayerSet) error {
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
