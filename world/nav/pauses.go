package nav

// cellsAtOnce is about how many cells are computed between two pauses.
const cellsAtOnce = 1024

// pauses has long work call a function now and then. It counts cells, so that where it does so follows
// from the work alone.
type pauses struct {
	pause func(cells int)
	spent int // cells since the last call
}

// spend says that so many cells were computed.
func (p *pauses) spend(cells int) {
	if p.pause == nil {
		return
	}
	if p.spent += cells; p.spent >= cellsAtOnce {
		cells, p.spent = p.spent, 0
		p.pause(cells)
	}
}

// Pausing has [Navigator.Look], [Navigator.Field] and [Navigator.Advance] call pause from time to time,
// with about how many cells they have computed since the last call: for a game whose step can be
// interrupted, which passes it on to world.Pause. It has no influence on an answer. The function must
// not use the navigator; if it panics, the navigator is not to be used again. With nil it is not called.
func (n *Navigator) Pausing(pause func(cells int)) {
	n.pause = pause
	if n.terrain != nil {
		n.terrain.pause = pause
	}
}
