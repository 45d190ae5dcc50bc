package rollback

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
func (e *core[I]) Feed(inputs []I, orders [][]byte, gone PlayerSet) error {
	f := e.inputs.frame
	if err := e.inputs.ring.fits(f, inputs, orders); err != nil {
		return err
	}
	was := e.inputs.absent()
	for p := range (was ^ gone&e.inputs.roster.all).All() {
		change := e.Disconnect
		if was.Has(p) {
			change = e.Connect
		}
		if err := change(p, f); err != nil {
			return err
		}
	}
	for p := range (e.inputs.roster.all &^ gone).All() {
		if err := e.sampling.feed(&e.inputs, p, inputs[p], ordersOf(orders, p)); err != nil {
			return err
		}
	}
	if err := e.Tick(); err != nil {
		return err
	}
	return e.Agree(max(e.Agreed(), e.inputs.frame)) // without players, the frame is confirmed only now
}
