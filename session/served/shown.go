package served

import (
	"time"

	"github.com/tickback/tickback/session"
)

// Shown is what a client shows of others: two states that are known, and no predictions, around a
// moment that is a while ago.
type Shown[S any] struct {
	// Before and After are the newest known states around the moment. They are the client's, as
	// is [Client.State]. Both are the same if no other one is known.
	Before, After *S
	// Passed of the time between them, Period, has passed at the moment. Both are 0 if the states
	// are the same one.
	Passed, Period time.Duration
	// Seen is how many ticks the moment is before the client's next one, rounded.
	Seen int
}

// Shown returns what to show now of others. The moment is Behind before the newest state that has
// been told at its usual delay. It goes on like the time, and stops at the newest state; then, or
// when the delay changes, it goes faster or slower for a while, by half at most. ok is false before
// there is a match to show.
func (c *Client[S, I]) Shown(now time.Duration) (s Shown[S], ok bool) {
	if c.phase != session.Playing || !c.shown.any {
		return s, false
	}
	n := c.timing.nominal
	newest := c.clientMatch.shown()
	now = c.clock.Internal(now)
	at := c.shown.moment.move(now-c.shown.offset-c.cfg.Behind, now, time.Duration(newest)*n) // in the time of states
	before, after := newest, newest
	for f := newest; c.engine.StateAt(f) != nil; f-- { // downwards to the last one that is not after the moment
		if c.clientMatch.holds(f) {
			if before, after = f, before; time.Duration(f)*n <= at {
				break
			}
		}
	}
	s.Before, s.After = c.engine.StateAt(before), c.engine.StateAt(after)
	if s.Before == nil {
		return s, false
	}
	from, to := time.Duration(before)*n, time.Duration(after)*n
	at = min(max(at, from), to)
	s.Passed, s.Period = at-from, to-from
	s.Seen = int((time.Duration(max(c.timing.next, c.engine.Frame()))*n - at + n/2) / n)
	return s, true
}

// playout is the moment that is shown.
type playout struct {
	any     bool
	at, now time.Duration
}

// farOff is from where on the moment is shown that should be, at once.
const farOff = 500 * time.Millisecond

// move has the moment follow the one that should be shown, up to the newest that can be.
func (p *playout) move(should, now, newest time.Duration) (at time.Duration) {
	passed := now - p.now
	switch gap := should - (p.at + passed); {
	case !p.any || passed < 0 || max(gap, -gap) > farOff:
		p.at = should
	case gap > 0:
		p.at += passed + min(gap, passed/2)
	default:
		p.at += passed - min(-gap, passed/2)
	}
	p.any, p.now, p.at = true, now, min(p.at, newest)
	return p.at
}

// arrivals is when states come: how much later than their tick, in the quickest case of late.
type arrivals struct {
	any    bool
	offset time.Duration
	moment playout // that is shown
}

// slower is by which part of the difference a state that comes later than usual counts: the way
// may have grown. Within a second or two the usual time follows.
const slower = 32

// came notes that a state was told. A whole one takes longer than usual.
func (a *arrivals) came(f Frame, whole bool, nominal, at time.Duration) {
	offset := at - time.Duration(f)*nominal
	switch late := offset - a.offset; {
	case whole && a.any:
	case !a.any || late <= 0 || late > time.Second:
		a.any, a.offset = true, offset
	default:
		a.offset += late / slower
	}
}
