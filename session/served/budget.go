package served

import "time"

// budget bounds how many datagrams of a client are read, so that no client can keep the server
// from the others. Only what the client itself has sent counts: nobody else can use its budget up.
//
// An honest client sends at most four datagrams in a tick period, and acknowledgements of a whole
// state while that comes. After its way was cut, what has waited there comes at once.
type budget struct{ spent time.Duration } // until then it is spent

const (
	// readEach is how many datagrams are read in a tick period, or in 50 ms if that is shorter.
	readEach = 32
	// readAtOnce is how many more of them may come at once.
	readAtOnce = 256
)

// cost is the time for which a datagram pays.
func cost(period time.Duration) time.Duration {
	return min(period, 50*time.Millisecond) / readEach
}

// over reports whether the budget is used up.
func (b *budget) over(now, period time.Duration) bool {
	return b.spent-now > readAtOnce*cost(period)
}

// spend pays for a datagram.
func (b *budget) spend(now, period time.Duration) {
	b.spent = max(b.spent, now) + cost(period)
}
