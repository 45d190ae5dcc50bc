package nav

// cellsAtOnce is roughly how many cells are computed between two pauses.
const cellsAtOnce = 1024

// pauses makes long work call a function now and then. It counts cells, so the times of the calls depend only on the
// work.
type pauses struct {
	pause func(cells int)
	spent int // cells since the last call
}

// spend records that the given number of cells have been computed.
func (p *pauses) spend(cells int) {
	if p.pause == nil {
		return
	}
	if p.spent += cells; p.spent >= cellsAtOnce {
		cells, p.spent = p.spent, 0
		p.pause(cells)
	}
}

// Pausing makes [Navigator.Look], [Navigator.Field] and [Navigator.Advance] call pause from time to time, with roughly
// the number of cells computed since the last call. It is for a game whose step can be interrupted, which passes the
// number on to world.Pause. It does not influence answers. The function must not use the navigator; if it panics, the
// navigator must not be used again. Nil turns the calls off.
func (n *Navigator) Pausing(pause func(cells int)) {
	n.pause = pause
	if n.terrain != nil {
		n.terrain.pause = pause
	}
}
