package sequencer

// pastTicks is the number of closed ticks for which it is remembered whether their
// input arrived.
const pastTicks = 64

// place is the state of one player.
type place struct {
	in   bool
	from Frame // the first tick that the player is in

	inputs []byte // the inputs of the ticks that are not closed, in a ring
	came   []bool // which of them have arrived
	past   uint64 // bit i: whether the input of the tick that was closed i ticks before the newest closed one has arrived

	last   []byte // the newest input among those of closed ticks
	lastOf Frame  // its tick
	any    bool   // last is set

	carried []byte // late inputs to be carried into the next tick
	carries bool   // whether there are carried inputs

	margins margins
	counts  [verdicts]uint64
	// replaced counts ticks, merged counts late inputs.
	replaced, merged uint64
}

// enter resets the place for a player that is in from a tick on.
func (pl *place) enter(from Frame) {
	clear(pl.came)
	*pl = place{in: true, from: from, inputs: pl.inputs, came: pl.came, last: pl.last, carried: pl.carried}
}

// remember keeps an input of a closed tick if it is the newest one.
func (pl *place) remember(f Frame, input []byte) {
	if pl.any && f < pl.lastOf {
		return
	}
	copy(pl.last, input)
	pl.lastOf, pl.any = f, true
}
