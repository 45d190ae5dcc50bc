package rollback

// absence is when a player is not there: from a frame on, until back. Frames in
// it count as known, with zero inputs.
type absence struct{ from, back Frame }

// present is the absence of a player who is there.
var present = absence{NoFrame, NoFrame}

func (a absence) covers(f Frame) bool { return a.from <= f && f < a.back }

// Disconnect says that player p is gone from a frame on, by agreement of all
// peers: the input is zero, the status [Disconnected], and nothing is awaited
// any more. Inputs below the frame that have not arrived still are.
//
// No input that is confirmed is taken back: a frame below [Engine.Next] is a
// [*ConflictError]. If frames from there on have run with predictions, the next
// tick rolls back; if they are no longer held, the error is a [*TooOldError].
// A player who is away already is a [*PlayerError].
func (e *Engine[S, I]) Disconnect(p Player, from Frame) error {
	switch {
	case !e.all.Has(p):
		return e.noPlayer(p)
	case e.who[p].away.back == NoFrame && e.who[p].away.from != NoFrame:
		return &PlayerError{p, "is disconnected already"}
	case from < e.base:
		return e.outside(p, from)
	case from < e.who[p].next:
		return &ConflictError{p, from, "cut"}
	}
	w := &e.who[p]
	w.away = absence{from, NoFrame}
	e.sparse = true
	for f := from; f-e.base <= e.mask-1; f++ {
		e.vacate(p, f)
	}
	if from < e.frame {
		e.disturb(from)
		e.disturb(e.frame - 1)
	}
	if from <= e.frame {
		e.owed &^= 1 << p
	}
	e.skip(p)
	return nil
}

// vacate makes frame f one without player p. What came early is dropped.
func (e *Engine[S, I]) vacate(p Player, f Frame) {
	r := f & e.mask
	i := int(r)*e.players + int(p)
	if e.rows[r].known().Has(p) {
		e.who[p].early--
	}
	e.rows[r] = e.rows[r].without(p)
	e.inputs[i] = *new(I)
	if e.orders != nil {
		e.orders[i] = e.orders[i][:0]
	}
}

// owe asks for a sample of the local player p, who is here in the next frame.
func (e *Engine[S, I]) owe(p Player) {
	if e.local.Has(p) && !e.rows[e.frame&e.mask].gone().Has(p) {
		e.owed |= 1 << p
	}
}

// Connect says that player p, who is disconnected, is there from a frame on, by
// agreement of all peers. The frame must not have run, or be about to be known
// elsewhere: choose one well ahead. Errors: [*PlayerError], [*ConflictError] if
// the frame has run or the player left only then.
func (e *Engine[S, I]) Connect(p Player, at Frame) error {
	switch {
	case !e.all.Has(p):
		return e.noPlayer(p)
	case e.who[p].away.from == NoFrame || e.who[p].away.back != NoFrame:
		return &PlayerError{p, "is not disconnected"}
	case at < e.frame || at <= e.who[p].away.from:
		return &ConflictError{p, at, "cut"}
	}
	w := &e.who[p]
	w.away.back = at
	for f := max(at, e.base); f-e.base <= e.mask-1; f++ {
		r := f & e.mask
		e.rows[r] = e.rows[r].open(p)
	}
	if w.next == NoFrame {
		w.next = at
	}
	e.owe(p)
	return nil
}
