package pace

import "time"

const (
	// delayEvery is how often the delay is checked.
	delayEvery = time.Second
	// delayDown is the number of checks in a row at which a shorter delay has to be sufficient before the delay
	// shrinks, by one frame.
	delayDown = 5
)

// Delay makes an input delay follow the path to the farthest peer: upwards at once, and downwards slowly. The zero
// value is for a match that begins, whose delay is yet to be chosen.
type Delay struct {
	next    time.Duration // when to check again
	chosen  bool
	shorter int // number of checks at which a shorter delay was sufficient
}

// Due reports whether to check the delay now.
func (d *Delay) Due(now time.Duration) bool {
	if now < d.next {
		return false
	}
	d.next = now + delayEvery
	return true
}

// Follow takes the delay in use and the one that is wanted, in frames, and returns the one to use from now on.
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
