package predict

import (
	"math"
	"time"
)

// DefaultLimit is the limit of an [Account] that names none: a quarter of a second.
const DefaultLimit = 250 * time.Millisecond

// Account holds the time that has passed and has not been simulated yet. It reads no
// clock: the caller adds what has passed by its own. The zero value is ready.
//
// After a hitch, time beyond the limit is dropped, and the simulation stays behind by
// it. So what is due at once is bounded, and a machine that takes longer to simulate
// a step than the step lasts plays in slow motion, instead of owing more and more.
//
// A server whose clients choose how long their moves last keeps an Account for each:
// it adds the time that passes at the server, and refuses moves for which there is
// none. A client that claims more time than there was moves no faster by it.
type Account struct {
	// Limit is the most that it holds. The default is [DefaultLimit]. It has to be
	// as long as the longest part that is taken.
	Limit time.Duration

	balance time.Duration
	dropped time.Duration
}

// Add adds time that has passed, and returns how much of it was dropped. Less than
// nothing, from a clock that was set back, counts as nothing.
func (a *Account) Add(d time.Duration) (dropped time.Duration) {
	d = max(d, 0)
	room := max(a.limit()-a.balance, 0)
	dropped = max(d-room, 0)
	a.balance += d - dropped
	a.dropped += min(dropped, math.MaxInt64-a.dropped)
	return dropped
}

// Take takes a part out and returns true, or returns false if there is not so much.
// It takes nothing for a part of 0 or less, and returns true.
func (a *Account) Take(part time.Duration) bool {
	if !a.Has(part) {
		return false
	}
	a.balance -= max(part, 0)
	return true
}

// Has reports whether there is so much.
func (a *Account) Has(part time.Duration) bool { return a.balance >= part }

// Balance returns what is there. Divided by the cadence, it is how far to draw
// between the last two states.
func (a *Account) Balance() time.Duration { return a.balance }

// Dropped returns how much has been dropped in all, at most 292 years.
func (a *Account) Dropped() time.Duration { return a.dropped }

func (a *Account) limit() time.Duration {
	if a.Limit > 0 {
		return a.Limit
	}
	return DefaultLimit
}
