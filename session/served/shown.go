package served

import (
	"time"

	"github.com/tickback/tickback/session"
)

// Shown is what a client shows of other players: two known states, not predictions, around a moment in the recent
// past.
type Shown[S any] struct {
	// Before and After are the closest known states around the moment. They belong to the client, like
	// [Client.State]. Both are the same if no other state is known.
	Before, After *S
	// Passed is the time from Before to the moment, and Period the time from Before to After. Both are 0 if the
	// states are the same.
	Passed, Period time.Duration
	// Seen is how many ticks the moment is before the client's next tick, rounded.
	Seen int
}

// Shown returns what to show of other players now. The moment is Behind before the newest state that has arrived
// with the usual delay. It advances with time, and stops at the newest state; after that, or when the delay
// changes, it runs faster or slower for a while, by half at most; if it is more than farOff away, it jumps. ok is false
// before there is a match to show.
func (c *Client[S, I]) Shown(now time.Duration) (s Shown[S], ok bool) {
	if c.phase != session.Playing || !c.shown.any {
		return s, false
	}
	n := c.timing.nominal
	newest := c.clientMatch.shown()
	now = c.clock.Internal(now)
	at := c.shown.moment.move(now-c.shown.offset-c.cfg.Behind, now, time.Duration(newest)*n) // on the time scale of states
	before, after := newest, newest
	for f := newest; c.engine.StateAt(f) != nil; f-- { // down to the last one that is not after the moment
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

// playout is the moment being shown.
type playout struct {
	any     bool
	at, now time.Duration
}

// farOff is the deviation at which the moment jumps to where it should be.
const farOff = 500 * time.Millisecond

// move advances the moment towards where it should be, but not beyond newest.
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

// arrivals tracks when states arrive: how much later than their tick, in the fastest recent case.
type arrivals struct {
	any    bool
	offset time.Duration
	moment playout // the moment being shown
}

// slower is the divisor applied to the delay of a state that arrives later than usual: the path may have become
// longer. The usual delay follows within a second or two.
const slower = 32

// came notes that state f arrived. A whole state takes longer than usual.
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
