package served

import "time"

// budget limits how many datagrams of a client are read, so that no client can keep the server busy at the expense
// of others. Only datagrams sent by the client itself count: nobody else can use up its budget.
//
// An honest client sends at most four datagrams per tick period, plus acknowledgements while a whole state is being
// transferred. After an interruption of its path, queued datagrams arrive all at once.
type budget struct{ spent time.Duration } // the time until which the budget is used up

const (
	// readEach is how many datagrams are read per tick period, or per 50 ms if that is shorter.
	readEach = 32
	// readAtOnce is how many datagrams more than that may arrive in one burst.
	readAtOnce = 256
)

// cost returns how much of the budget one datagram uses.
func cost(period time.Duration) time.Duration {
	return min(period, 50*time.Millisecond) / readEach
}

// over reports whether the budget is used up.
func (b *budget) over(now, period time.Duration) bool {
	return b.spent-now > readAtOnce*cost(period)
}

// spend charges the budget for one datagram.
func (b *budget) spend(now, period time.Duration) {
	b.spent = max(b.spent, now) + cost(period)
}
