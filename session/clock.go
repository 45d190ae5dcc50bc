package session

import (
	"time"

	"github.com/tickback/tickback/session/pace"
)

// clock is the time of a session: it never goes back, and between two updates it goes
// on by most at the most. Whatever is longer, the session has slept, or its owner's
// clock has jumped; of that time nobody else may be asked. So no time-out of this
// package charges it to a peer, and whoever is updated rarely still finds a dead one:
// after a fixed number of updates.
type clock struct {
	now     time.Duration
	epoch   time.Duration // what its owner calls the session's time 0
	updated time.Duration // now, at the last update
	most    time.Duration // what two updates may lie apart
	started bool
}

// beginning is the session's own time at first: later than 0, which stands for
// never, whatever epoch its owner has.
const beginning = time.Minute

// start begins with what the owner's clock shows, the first time.
func (c *clock) start(t time.Duration) (first bool) {
	if c.started {
		return false
	}
	c.started, c.epoch, c.now, c.updated = true, t-beginning, beginning, beginning
	return true
}

// internal is what the owner's clock shows, as the session's own time.
func (c *clock) internal(t time.Duration) time.Duration { return t - c.epoch }

// update moves the time to what the owner's clock shows, or as far as it goes.
func (c *clock) update(t time.Duration) {
	now := min(max(c.internal(t), c.now), c.updated+c.most)
	c.epoch = t - now
	c.now, c.updated = now, now
}

// arrive is when something came that did at t, as the owner's clock shows: around the
// last update, or between it and the next one.
func (c *clock) arrive(t time.Duration) (at time.Duration) {
	at = min(max(c.internal(t), c.updated-c.most), c.updated+c.most)
	c.now = max(c.now, at)
	return at
}

// patienceOf is what two updates of a session may lie apart: as many tick periods as it
// catches up with, and half of the silence after which a peer is lost.
func patienceOf(tick, dropAfter time.Duration) time.Duration {
	return max(min(pace.MaxDebt*tick, dropAfter/2), tick)
}
