package pace

import "time"

const (
	// delayEvery is how often the delay is looked at.
	delayEvery = time.Second
	// delayDown is for how many looks in a row a shorter delay has to be enough before it
	// shrinks, by one frame.
	delayDown = 5
)

// Delay has an input delay follow the way to the farthest peer: upwards at once, and downwards
// slowly. The zero value is that of a match that begins, for which the delay is chosen.
type Delay struct {
	next    time.Duration // when to look again
	chosen  bool
	shorter int // looks at which a shorter delay was enough
}

// Due reports whether to look at the delay now.
func (d *Delay) Due(now time.Duration) bool {
	if now < d.next {
		return false
	}
	d.next = now + delayEvery
	return true
}

// Follow looks at the delay in use and the one that is wanted, in frames, and returns the one to
// use from now on.
func (d *Delay) Follow(used, wanted int) int {
	if !d.chosen || wanted >= used {
		d.chosen, d.shorter = true, 0
		return wanted
	}
	if d.shorter++; d.shorter < delayDown {
		return used
	}
	d.shorter = 0
	return used - 1
}
