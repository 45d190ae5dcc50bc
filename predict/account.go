package predict

import (
	"cmp"
	"time"
)

// DefaultLimit is the limit of an [Account] that sets none: a quarter of a second.
const DefaultLimit = 250 * time.Millisecond

// Account holds time that has passed but has not been simulated yet. It reads no clock: the caller adds the time that
// has passed. The zero value is ready to use.
//
// After a hitch, time beyond the limit is dropped, and the simulation stays behind by that time. So the amount due at
// once is bounded, and a machine that takes longer to simulate a step than the step lasts plays in slow motion, instead
// of falling further and further behind.
//
// A server whose clients choose how long their moves last keeps an Account for each of them, adds the time that passes
// there, and refuses moves for which there is no time: a client that claims more than has passed gains nothing.
type Account struct {
	// Limit is the maximum balance, at least the longest part that is taken. The default is [DefaultLimit].
	Limit   time.Duration
	balance time.Duration
}

// Add adds time that has passed, and returns how much of it was dropped. A negative time, from a clock that was set
// back, counts as zero.
func (a *Account) Add(d time.Duration) (dropped time.Duration) {
	d = max(d, 0)
	added := min(d, max(cmp.Or(max(a.Limit, 0), DefaultLimit)-a.balance, 0))
	a.balance += added
	return d - added
}

// Take removes a part and returns true, or returns false if the balance is too small. For a part of 0 or less it
// removes nothing, and returns true.
func (a *Account) Take(part time.Duration) bool {
	if a.balance < part {
		return false
	}
	a.balance -= max(part, 0)
	return true
}

// Balance returns the time in the account. Divided by the cadence, it is how far to interpolate between the last two
// states.
func (a *Account) Balance() time.Duration { return a.balance }
