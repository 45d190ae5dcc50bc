package predict

import (
	"math"
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
// A server whose clients choose how long their moves last keeps an Account for each of them: it adds the time that
// passes at the server, and refuses moves for which there is no time. A client that claims more time than has passed
// gains nothing.
type Account struct {
	// Limit is the maximum balance. The default is [DefaultLimit]. It must be at least as long as the longest part that is
	// taken.
	Limit time.Duration

	balance time.Duration
	dropped time.Duration
}

// Add adds time that has passed, and returns how much of it was dropped. A negative time, from a clock that was set
// back, counts as zero.
func (a *Account) Add(d time.Duration) (dropped time.Duration) {
	d = max(d, 0)
	room := max(a.limit()-a.balance, 0)
	dropped = max(d-room, 0)
	a.balance += d - dropped
	a.dropped += min(dropped, math.MaxInt64-a.dropped)
	return dropped
}

// Take removes a part and returns true, or returns false if the balance is too small. For a part of 0 or less it
// removes nothing, and returns true.
func (a *Account) Take(part time.Duration) bool {
	if !a.Has(part) {
		return false
	}
	a.balance -= max(part, 0)
	return true
}

// Has reports whether the balance is at least that much.
func (a *Account) Has(part time.Duration) bool { return a.balance >= part }

// Balance returns the time in the account. Divided by the cadence, it is how far to interpolate between the last two
// states.
func (a *Account) Balance() time.Duration { return a.balance }

// Dropped returns how much has been dropped in total, at most 292 years.
func (a *Account) Dropped() time.Duration { return a.dropped }

func (a *Account) limit() time.Duration {
	if a.Limit > 0 {
		return a.Limit
	}
	return DefaultLimit
}
